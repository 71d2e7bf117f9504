/** Replaces functions of `node:fs/promises`, so that operations below a folder fail like on a full or broken disk. */
import syncFiles from "node:fs";
import files, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { constants } from "node:os";

const MESSAGES = {
  ENOSPC: "no space left on device",
  EIO: "i/o error",
  EACCES: "permission denied",
  EROFS: "read-only file system",
  EPERM: "operation not permitted",
  EBUSY: "resource busy",
} as const;
export type DiskFault = keyof typeof MESSAGES;
/** `killed`: from that operation on, none has an effect, and none ever settles. It writes half of its bytes. */
export type DiskEvent = DiskFault | "killed";

/** A full or read-only disk refuses only writes. A broken disk, or missing permission, also refuses reads. */
const WRITES = ["open", "mkdir", "rename", "writeFile", "rm", "rmdir"] as const;
const READS = ["readFile", "readdir", "stat"] as const;
const HANDLE_WRITES = ["writeFile", "sync", "chmod"] as const;
/** The operations before each of which a process is killed. */
const STEPS: ReadonlySet<string> = new Set(["open", "rename", "writeFile", "rm", "rmdir"]);
/** The names of the system calls behind Node's functions. */
const SYSCALLS: Readonly<Record<string, string>> = {
  ...{ writeFile: "write", readFile: "read", sync: "fsync", chmod: "fchmod", rm: "unlink" },
};

type Method = (...args: unknown[]) => Promise<unknown>;

export interface FailingFiles extends Disposable {
  readonly failed: string | undefined;
}

/** The first half of what would be written. */
const halfOf = (bytes: unknown) => {
  const whole = typeof bytes === "string" ? Buffer.from(bytes) : (bytes as Uint8Array);
  return whole.subarray(0, whole.byteLength >> 1);
};

/** Lets the operation with the number `at` below `folder` fail, and so many in all; only those with this name. */
export function failingFiles(
  folder: string,
  fault: DiskEvent,
  at: number,
  { times = fault === "killed" ? Number.POSITIVE_INFINITY : 1, only }: { times?: number; only?: string } = {},
): FailingFiles {
  const original = { ...files };
  const state = { operations: 0, failed: undefined as string | undefined };
  /** The handles that are open: a process that was killed never closes them. */
  const open = new Set<FileHandle>();
  const isSlight = fault === "ENOSPC" || fault === "EROFS";

  /** Counts the operation. Returns its error if it fails, and a promise of none after the process was killed. */
  function strike(name: string, path: string | undefined, reads = false): Error | Promise<never> | undefined {
    if ((reads && isSlight) || (only ?? name) !== name) return undefined;
    // What does not change what a later run finds is no step.
    const isStep = !reads && STEPS.has(name) && !(name === "rm" && path?.endsWith(".part"));
    if (fault === "killed" && state.failed === undefined && !isStep) return undefined;
    state.operations += 1;
    if (state.operations < at || state.operations >= at + times) return undefined;
    state.failed ??= name;
    if (fault === "killed") return new Promise(() => {});
    const syscall = SYSCALLS[name] ?? name;
    const error = new Error(`${fault}: ${MESSAGES[fault]}, ${syscall}${path === undefined ? "" : ` '${path}'`}`);
    return Object.assign(error, { errno: -constants.errno[fault], code: fault, syscall }, path && { path });
  }

  function failingHandle(handle: FileHandle): FileHandle {
    open.add(handle);
    const close = handle.close.bind(handle);
    handle.close = () => {
      open.delete(handle);
      return close();
    };
    for (const name of HANDLE_WRITES) {
      const method = handle[name].bind(handle) as Method;
      const failing: Method = async (bytes, ...args) => {
        if (fault === "killed" && state.operations + 1 === at && name === "writeFile") await method(halfOf(bytes));
        // The system's errors for an open file do not name the file.
        const error = await strike(name, undefined);
        if (error !== undefined) throw error;
        return method(bytes, ...args);
      };
      Object.defineProperty(handle, name, { value: failing });
    }
    return handle;
  }

  for (const name of [...WRITES, ...READS]) {
    const method = original[name] as Method;
    const failing: Method = async (path, ...args) => {
      if (!String(path).startsWith(folder)) return method(path, ...args);
      // Errors of reading and writing do not name the file.
      const isNamed = name !== "readFile" && name !== "writeFile";
      const error = await strike(name, isNamed ? String(path) : undefined, READS.includes(name as "stat"));
      if (error !== undefined) throw error;
      const result = await method(path, ...args);
      return name === "open" ? failingHandle(result as FileHandle) : result;
    };
    Object.assign(files, { [name]: failing });
  }
  const { lstatSync, readFileSync } = syncFiles;
  const failingSync =
    (name: string, isNamed: boolean, method: (path: never, options: never) => unknown) =>
    (path: unknown, options: unknown) => {
      const error = String(path).startsWith(folder)
        ? strike(name, isNamed ? String(path) : undefined, true)
        : undefined;
      if (error instanceof Error) throw error;
      return method(path as never, options as never);
    };
  Object.assign(syncFiles, {
    lstatSync: failingSync("lstat", true, lstatSync),
    readFileSync: failingSync("readFile", false, readFileSync),
  });
  syncBuiltinESMExports();
  return {
    get failed() {
      return state.failed;
    },
    [Symbol.dispose]() {
      Object.assign(files, original);
      Object.assign(syncFiles, { lstatSync, readFileSync });
      syncBuiltinESMExports();
      for (const handle of open) void handle.close();
    },
  };
}
