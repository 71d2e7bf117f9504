/** Keeps the caller's own lines in the stack of an error. V8 keeps ten frames, and all ten may be the library's own. */
import { NotetakerError } from "./notetaker-error.js";

const stackFrames = (stack: unknown) =>
  String(stack)
    .split("\n")
    .filter((line) => line.startsWith("    at "));

/** Adds the current frames to the stack. Call it in the function that is awaited: it has the caller's lines. */
export function withCallerStack(error: unknown): unknown {
  if (!(error instanceof NotetakerError) || typeof error.stack !== "string") return error;
  const known = stackFrames(error.stack);
  // The first frame is this function.
  const missing = stackFrames(new Error().stack)
    .slice(1)
    .filter((frame) => !known.includes(frame));
  error.stack = [error.stack, ...missing].join("\n");
  return error;
}
