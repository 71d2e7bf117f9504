/**
 * Replaces functions of `node:fs/promises`, so that the program kills itself with SIGKILL during one disk operation.
 */
import files, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const OPERATIONS = ["open", "mkdir", "rename", "link", "writeFile", "rm", "rmdir"] as const;
const HANDLE_OPERATIONS = ["write", "writeFile", "sync"] as const;

type Operation = (...args: unknown[]) => Promise<unknown>;

/** The arguments of a write, for only the first half of its bytes. */
function halfOf([bytes, offset, length, ...rest]: unknown[]): unknown[] {
  if (typeof length === "number") return [bytes, offset, length >> 1, ...rest];
  const first = bytes instanceof Uint8Array ? bytes.subarray(0, bytes.length >> 1) : String(bytes).slice(0, 1);
  return [first, offset, length, ...rest];
}

/**
 * Kills the process at the operation with the number `at` below `folder`: before it, after it, or after half of a
 * write. With a `w` before the number, only writes are counted.
 */
export function dieAtOperation(folder: string, at: string): void {
  const writesOnly = at.startsWith("w");
  let left = Number(at.replace("w", ""));
  const deadly =
    (operation: Operation, isWrite: boolean): Operation =>
    async (...args) => {
      if (isWrite || !writesOnly) left -= 1;
      if (left !== 0 || (writesOnly && !isWrite)) return operation(...args);
      if (isWrite) await operation(...halfOf(args));
      else if (Math.random() < 0.5) await operation(...args);
      process.kill(process.pid, "SIGKILL");
      // The signal may arrive a moment later. Until then, the program must not continue.
      return new Promise(() => {});
    };

  function deadlyHandle(handle: FileHandle): FileHandle {
    for (const name of HANDLE_OPERATIONS) {
      const value = deadly(handle[name as "sync"].bind(handle) as Operation, name !== "sync");
      Object.defineProperty(handle, name, { value });
    }
    return handle;
  }

  for (const name of OPERATIONS) {
    const original = files[name as "open"] as Operation;
    const counted = deadly(original, false);
    const replaced: Operation = async (path, ...args) => {
      if (!String(path).startsWith(folder)) return original(path, ...args);
      const result = await counted(path, ...args);
      return name === "open" ? deadlyHandle(result as FileHandle) : result;
    };
    Object.assign(files, { [name]: replaced });
  }
  syncBuiltinESMExports();
}

/**
 * The operation at which a run is killed: one of its first writes for every fourth kill, otherwise one of its first
 * operations.
 */
export function randomOperation(kill: number, { operations, writes }: { operations: number; writes: number }): string {
  const below = (limit: number) => String(1 + Math.floor(Math.random() * limit));
  return kill % 4 === 0 ? `w${below(writes)}` : below(operations);
}
