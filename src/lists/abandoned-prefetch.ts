/** Why a prefetched page is cancelled: the loop over its list was left. That is not a failure. */
import { isRecord } from "../json/is-record.js";

const CODE = "WALK_ENDED";

export const walkEnded = () => Object.assign(new Error("The walk has ended"), { name: "AbortError", code: CODE });

/** By its code, because each entry point of the package may have a copy of this file. */
export const isWalkEnded = (reason: unknown): boolean => isRecord(reason) && reason.code === CODE;
