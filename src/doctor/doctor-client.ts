import type { Notetaker } from "../client.js";

/** The part of a client that the doctor uses. It fits every version of the client, and every copy of the package. */
export type DoctorClient = Pick<Notetaker, "request">;
