import { InvalidArgumentError } from "../../errors/invalid-argument-error.js";

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "may not be accessed",
  EPERM: "may not be accessed",
};

/** An error that names the path: `why` is a sentence, or what the file system threw. */
export function refusedPath(operation: string, path: string, why: unknown): InvalidArgumentError {
  const { code = "", message = "" } = why instanceof Error ? (why as NodeJS.ErrnoException) : {};
  const reason = typeof why === "string" ? why : (WHY[code] ?? message);
  return new InvalidArgumentError(operation, [{ path: "path", message: `${path} ${reason}` }]);
}
