import type { Notetaker } from "../client.js";

/** What the doctor needs of a client: any version of it, and any copy of the package. */
export type DoctorClient = Pick<Notetaker, "request">;
