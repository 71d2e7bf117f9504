/** A file that is there as a whole, or as it was before. */
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";

/**
 * Fills `partial`, which is beside `target`, and gives it the target's name once its bytes are on the disk. A failure
 * leaves the target as it was, and nothing of the new file. Who may read an old file may read the new one.
 */
export async function replaceFile<T>(
  target: string,
  partial: string,
  fill: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const old = await stat(target).catch(() => undefined);
  const file = await open(partial, "w", old?.mode);
  try {
    // Of a mode that is given, the process may hold something back.
    if (old !== undefined) await file.chmod(old.mode);
    const result = await fill(file);
    await file.sync();
    await file.close();
    await rename(partial, target);
    return result;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}
