/** The error for a path that cannot be used, with the reason in plain words. */
import { InvalidArgumentError } from "../../errors/argument-errors.js";

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["EACCES", "may not be accessed"],
  ["EPERM", "may not be accessed"],
]);

/**
 * An error that names the path. `problem` is either an error of the file system, or a text that completes the sentence
 * "<path> …", for example "is a folder".
 */
export function refusedPath(operation: string, path: string, problem: unknown): InvalidArgumentError {
  return new InvalidArgumentError(operation, [{ path: "path", message: `${path} ${reasonOf(problem)}` }]);
}

function reasonOf(problem: unknown): string {
  if (!(problem instanceof Error)) return String(problem);
  const { code = "", message } = problem as NodeJS.ErrnoException;
  return REASONS.get(code) ?? message;
}
