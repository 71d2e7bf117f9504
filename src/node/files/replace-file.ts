import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { pause } from "../../async/timers.js";
import { entryAt, isRegularFile } from "./paths.js";

/**
 * Fills the file `partial`, which is beside `target`, and renames it to `target` once its bytes are on the disk. After
 * a failure the target is unchanged, and `partial` is removed if the disk allows it. The new file keeps the permissions
 * of the old one. If either path is a symbolic link, the link is replaced, not followed. A folder, a pipe or a device is
 * refused.
 */
export async function replaceFile<T>(
  operation: string,
  target: string,
  partial: string,
  fill: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const old = entryAt(target);
  const mode = old && isRegularFile(operation, target, old) ? old.mode : undefined;
  const file = await createFile(partial, mode);
  try {
    // The umask may have removed bits of the mode.
    if (mode !== undefined) await ifAllowed(() => file.chmod(mode));
    const result = await fill(file);
    await ifAllowed(() => file.sync());
    await file.close();
    await whileBusy(() => rename(partial, target));
    return result;
  } catch (error) {
    await file.close().catch(() => {});
    // On a failing disk, this may also fail. The first error says why.
    await rm(partial, { force: true }).catch(() => {});
    throw namedFailure(error, target);
  }
}

/** Replaces the remainder of a killed run, or a link that another program created. */
const createFile = (path: string, mode: number | undefined): Promise<FileHandle> =>
  open(path, "wx", mode).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    await rm(path, { force: true });
    return open(path, "wx", mode);
  });

/** On Windows, a file cannot be renamed or deleted while a virus scanner, OneDrive or an indexer reads it. */
const BUSY: ReadonlySet<unknown> = new Set(["EPERM", "EACCES", "EBUSY"]);
const BUSY_FOR_MS = 2_000;
const BUSY_STEP_MS = 50;

/** Repeats `work` for two seconds while the file is in use. */
export async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += BUSY_STEP_MS) {
    try {
      return await work();
    } catch (error) {
      if (!BUSY.has((error as NodeJS.ErrnoException).code) || waitedMs >= BUSY_FOR_MS) throw error;
    }
    await pause(BUSY_STEP_MS);
  }
}

/** Some shares refuse `fchmod` or `fsync`, and Node's permission model refuses both. The bytes are written without them. */
const REFUSALS: ReadonlySet<unknown> = new Set(["EPERM", "EINVAL", "ENOTSUP", "ERR_ACCESS_DENIED"]);

async function ifAllowed(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!REFUSALS.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

const FILE_SYSCALLS: ReadonlySet<string> = new Set(["read", "write", "fsync", "ftruncate", "fchmod", "close"]);

/** Adds the path to a system error that lacks it: "ENOSPC: no space left on device, write '/exports/a.md'". */
export function namedFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errno, syscall, path: named } = error as NodeJS.ErrnoException;
  // Errors of connections also have a syscall, but are not about a file.
  if (named !== undefined || syscall === undefined || !FILE_SYSCALLS.has(syscall)) return error;
  const failure = new Error(`${error.message} '${path}'`, { cause: error });
  return Object.assign(failure, { code, errno, syscall, path });
}
