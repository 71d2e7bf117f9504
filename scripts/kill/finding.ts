/** What a part of the proof has found out: a promise, whether it holds, and its figures. */
export interface Finding {
  promise: string;
  /** What differs; empty if the promise holds. */
  differences: readonly string[];
  figures: string;
}
