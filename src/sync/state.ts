/** What the engine remembers of an account: where its passes are, and when the last ones ended. */
import * as z from "zod/mini";
import { parseJson } from "../json/parse-json.js";
import { type ListPosition, listPositionShape } from "./list-pass.js";

interface GoneSearch {
  /** The id after which it continues. */
  readonly after: string | undefined;
  readonly beganMs: number;
  readonly sawStored: boolean;
  /** How many meetings are requested at once; `undefined`: as many as possible. */
  readonly atOnce?: number | undefined;
}

/** Times are in milliseconds since 1970. */
export interface SyncState {
  /** The period and the formats of the latest full pass: other ones begin a new pass. */
  readonly scope: string;
  /** When the latest full pass began that was completed; `undefined`: the history has not been read. */
  readonly passedMs: number | undefined;
  /** The full pass that is under way. */
  readonly pass: (ListPosition & { readonly beganMs: number; readonly sawStored: boolean }) | undefined;
  /** The search for what is gone, which follows the pass. */
  readonly search: GoneSearch | undefined;
  /** After a search: what is marked as gone was not removed. */
  readonly marked: { readonly sawStored: boolean } | undefined;
  /** When the latest full pass ended that showed what an earlier one had stored: its account is the store's. */
  readonly provenMs: number | undefined;
  /** When the last poll that succeeded began. */
  readonly polledMs: number | undefined;
  /** The poll that is under way, with the time from which on it reads. */
  readonly poll: (ListPosition & { readonly beganMs: number; readonly fromMs: number }) | undefined;
  /** When this was written: if it is in the future, the clock was set back. */
  readonly writtenMs: number;
}

export const NEW_STATE: SyncState = {
  scope: "",
  passedMs: undefined,
  pass: undefined,
  search: undefined,
  marked: undefined,
  provenMs: undefined,
  polledMs: undefined,
  poll: undefined,
  writtenMs: 0,
};

const time = z.optional(z.number());

const stateSchema = z.object({
  v: z.literal(1),
  scope: z.string(),
  passedMs: time,
  pass: z.optional(z.object({ ...listPositionShape(), beganMs: z.number(), sawStored: z.boolean() })),
  search: z.optional(
    z.object({
      after: z.optional(z.string()),
      beganMs: z.number(),
      sawStored: z.boolean(),
      atOnce: z.optional(z.number()),
    }),
  ),
  marked: z.optional(z.object({ sawStored: z.boolean() })),
  provenMs: time,
  polledMs: time,
  poll: z.optional(z.object({ ...listPositionShape(), beganMs: z.number(), fromMs: z.number() })),
  writtenMs: z.number(),
});

export const formatState = (state: SyncState): string => JSON.stringify({ v: 1, ...state });

/** A text that cannot be read counts as none. */
export function parseState(text: string | undefined): SyncState {
  const { data } = z.safeParse(stateSchema, parseJson(text ?? ""));
  if (data === undefined) return NEW_STATE;
  const { scope, passedMs, pass, search, marked, provenMs, polledMs, poll, writtenMs } = data;
  const { after, beganMs = 0, sawStored = false, atOnce } = search ?? {};
  return {
    scope,
    passedMs,
    pass,
    search: search && { after, beganMs, sawStored, atOnce },
    marked,
    provenMs,
    polledMs,
    poll,
    writtenMs,
  };
}
