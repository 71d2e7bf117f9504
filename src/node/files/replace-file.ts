/** A file that is complete, or as it was before. */
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { namedFailure } from "./named-failure.js";

/**
 * Fills `partial`, which is beside `target`, and gives it the target's name once its bytes are on the disk. A failure
 * leaves the target as it was, and no partial file unless the disk refuses to remove it. The new file keeps the
 * permissions of the old one. A symbolic link at either place is replaced, never followed.
 */
export async function replaceFile<T>(
  target: string,
  partial: string,
  fill: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const old = await lstat(target).catch(() => undefined);
  const mode = old?.isFile() ? old.mode : undefined;
  // What a killed run left behind, or a link that somebody put there.
  await rm(partial, { force: true });
  const file = await open(partial, "wx", mode);
  try {
    // The umask may have removed bits of the mode.
    if (mode !== undefined) await file.chmod(mode);
    const result = await fill(file);
    await file.sync();
    await file.close();
    await rename(partial, target);
    return result;
  } catch (error) {
    await file.close().catch(() => {});
    // A disk that fails may refuse this, too: the first failure says why.
    await rm(partial, { force: true }).catch(() => {});
    throw namedFailure(error, target);
  }
}
