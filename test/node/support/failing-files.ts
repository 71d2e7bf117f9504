/** Replaces functions of `node:fs/promises`, so that operations below a folder fail like on a full or broken disk. */
import files, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { constants } from "node:os";

const MESSAGES: Readonly<Record<string, string>> = {
  ENOSPC: "no space left on device",
  EIO: "i/o error",
  EACCES: "permission denied",
  EROFS: "read-only file system",
  EPERM: "operation not permitted",
  EBUSY: "resource busy",
};
export type DiskFault = "ENOSPC" | "EIO" | "EACCES" | "EPERM" | "EBUSY" | "EROFS";
/** `killed`: from that operation on, none has an effect, and none ever settles. It writes half of its bytes. */
export type DiskEvent = DiskFault | "killed";

/** A full or read-only disk refuses only writes. A broken disk, or missing permission, also refuses reads. */
const WRITES = new Set(["open", "mkdir", "rename", "link", "writeFile", "rm", "rmdir"]);
const READS = new Set(["readFile", "readdir", "stat", "lstat"]);
const HANDLE_WRITES = new Set(["write", "writeFile", "sync", "truncate", "chmod"]);
/** The operations before each of which a process is killed. */
const STEPS = new Set(["open", "rename", "writeFile", "write", "rm", "rmdir"]);
/** The names of the system calls behind Node's functions. */
const SYSCALLS: Readonly<Record<string, string>> = {
  writeFile: "write",
  readFile: "read",
  sync: "fsync",
  truncate: "ftruncate",
  chmod: "fchmod",
  rm: "unlink",
};

export interface FailingFiles extends Disposable {
  /** How many operations this fault could have affected. */
  readonly operations: number;
  /** The operation that failed. */
  readonly failed: string | undefined;
}

/** The arguments of a write with the first half of its bytes. */
const halved = ([bytes, ...others]: unknown[]): unknown[] => {
  const whole = typeof bytes === "string" ? Buffer.from(bytes) : (bytes as Uint8Array);
  return [
    whole.subarray(0, whole.byteLength >> 1),
    ...(others.length > 1 ? [0, whole.byteLength >> 1, others[2]] : []),
  ];
};

/** Lets the operation with the number `at` below `folder` fail. With `forGood`, all later operations fail, too. */
export function failingFiles(folder: string, fault: DiskEvent, at: number, forGood = false): FailingFiles {
  const original = { ...files };
  const state = { operations: 0, failed: undefined as string | undefined };
  const isSlight = fault === "ENOSPC" || fault === "EROFS";

  /** Counts the operation. Returns its error if it fails. */
  async function strike(name: string, path: string | undefined, reads: boolean): Promise<Error | undefined> {
    if (reads && isSlight) return undefined;
    // What does not change what a later run finds is no step.
    const isStep = !reads && STEPS.has(name) && !(name === "rm" && path?.endsWith(".part"));
    if (fault === "killed" && state.failed === undefined && !isStep) return undefined;
    state.operations += 1;
    if (state.operations !== at && !((forGood || fault === "killed") && state.operations > at)) return undefined;
    state.failed ??= name;
    if (fault === "killed") return new Promise(() => {});
    const syscall = SYSCALLS[name] ?? name;
    const place = path === undefined ? "" : ` '${path}'`;
    const error = new Error(`${fault}: ${MESSAGES[fault]}, ${syscall}${place}`);
    const errno = -constants.errno[fault];
    return Object.assign(
      error,
      path === undefined ? { errno, code: fault, syscall } : { errno, code: fault, syscall, path },
    );
  }

  function failingHandle(handle: FileHandle): FileHandle {
    for (const name of HANDLE_WRITES) {
      const method = handle[name as "write"].bind(handle) as (...args: unknown[]) => Promise<unknown>;
      const failing = async (...args: unknown[]) => {
        // The system's errors for an open file do not name the file.
        if (fault === "killed" && state.operations + 1 === at && name.startsWith("write"))
          await method(...halved(args));
        const error = await strike(name, undefined, false);
        if (error !== undefined) throw error;
        return method(...args);
      };
      Object.defineProperty(handle, name, { value: failing });
    }
    return handle;
  }

  for (const name of [...WRITES, ...READS]) {
    const method = original[name as "open"] as (...args: unknown[]) => Promise<unknown>;
    const failing = async (path: unknown, ...args: unknown[]) => {
      if (!String(path).startsWith(folder)) return method(path, ...args);
      // Errors of reading and writing do not name the file.
      const isNamed = name !== "readFile" && name !== "writeFile";
      const error = await strike(name, isNamed ? String(path) : undefined, READS.has(name));
      if (error !== undefined) throw error;
      const result = await method(path, ...args);
      return name === "open" ? failingHandle(result as FileHandle) : result;
    };
    Object.assign(files, { [name]: failing });
  }
  syncBuiltinESMExports();
  return {
    get operations() {
      return state.operations;
    },
    get failed() {
      return state.failed;
    },
    [Symbol.dispose]() {
      Object.assign(files, original);
      syncBuiltinESMExports();
    },
  };
}
