/** The line of the caller in the stack of an error: ten frames are kept, and the way of a call may take them all. */
import { NotetakerError } from "../errors/notetaker-error.js";

const linesOf = (stack: string | undefined) => stack?.split("\n") ?? [];
/** A line of a stack that names a place, in the form that V8 writes. */
const isFrame = (line: string) => line.startsWith("    at ");

/**
 * Adds the frames from here on to the stack of `error` that it lacks, and returns it. To be called where the caller's
 * own lines are still near: in the function that the caller awaits.
 */
export function withCallerStack(error: unknown): unknown {
  if (!(error instanceof NotetakerError) || typeof error.stack !== "string") return error;
  const known = new Set(linesOf(error.stack).filter(isFrame));
  // The first frame is this function.
  const frames = linesOf(new Error().stack).filter(isFrame).slice(1);
  const missing = frames.filter((frame) => !known.has(frame));
  if (missing.length > 0) error.stack = [error.stack, ...missing].join("\n");
  return error;
}
