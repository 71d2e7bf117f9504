/** How the writing of a stream ended. */

export interface BrokenStream {
  kind: "broken";
  error: unknown;
}

/** The file is complete, the stream broke off, or the file could not be written. */
export type StreamOutcome = { kind: "saved"; size: number } | BrokenStream | { kind: "unwritable"; error: unknown };
