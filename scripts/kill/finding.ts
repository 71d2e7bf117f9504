/** The result of one part of the proof: a promise, the differences from it, and figures. */
export interface Finding {
  promise: string;
  /** The differences; empty if the promise holds. */
  differences: readonly string[];
  figures: string;
}
