import { fileURLToPath } from "node:url";
import { InvalidArgumentError } from "../../errors/argument-errors.js";

/** The path of a string or a `file:` URL. */
export function filePath(operation: string, path: string | URL): string {
  if (typeof path === "string" && path !== "") return path;
  if (path instanceof URL && path.protocol === "file:") return fileURLToPath(path);
  throw new InvalidArgumentError(operation, [{ path: "path", message: "expected a path or a file: URL" }]);
}
