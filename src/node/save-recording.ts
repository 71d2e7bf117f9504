/** A recording as a file: complete, or not there. */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Notetaker } from "../client.js";
import type { DownloadOptions } from "../media/recording-download.js";
import { refusedPath } from "./refused-path.js";

/** A change of the file on the way is no error here: the file is begun again. */
export type SaveOptions = Omit<DownloadOptions, "onRestart">;

export interface SavedRecording {
  /** Where it was saved: absolute, links followed. */
  path: string;
  /** In bytes. */
  size: number;
  /** Media type; `undefined` when the storage does not say. */
  contentType: string | undefined;
}

/**
 * Saves the recording of a meeting (`mtg_…`) at `path`, in little memory whatever its size. It goes on after lost
 * connections and expired links as `meetings.downloadRecording` does. The bytes are written to a file beside the target,
 * which takes the target's name once they are all on the disk: a failure, or an abort, leaves an old file as it was and
 * nothing of the new one.
 *
 * @throws {InvalidArgumentError} nothing can be written there; nothing was sent
 * @throws {NotFoundError} the meeting has no recording
 * @example
 * await saveRecording(notetaker, "mtg_1", "weekly.mp4", { onProgress: ({ receivedBytes }) => console.log(receivedBytes) });
 */
export async function saveRecording(
  notetaker: Pick<Notetaker, "meetings">,
  meetingId: string,
  path: string,
  options: SaveOptions = {},
): Promise<SavedRecording> {
  options.signal?.throwIfAborted();
  const target = await realpath(path).catch(() => resolve(path));
  const existing = await stat(target).catch(() => undefined);
  if (existing?.isDirectory()) throw refusedPath("saveRecording", path, "is a folder");
  const partial = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  const file = await open(partial, "wx").catch((error) => {
    throw refusedPath("saveRecording", dirname(target), error);
  });

  try {
    let written = 0;
    const onRestart = () => {
      written = 0;
    };
    const recording = await notetaker.meetings.downloadRecording(meetingId, { ...options, onRestart });
    // The next piece is asked for only when this one is written, so none of an old file comes after a restart.
    for await (const piece of recording.stream as AsyncIterable<Uint8Array>) {
      await writeAt(file, piece, written);
      written += piece.byteLength;
    }
    await file.truncate(written);
    await file.sync();
    await file.close();
    await rename(partial, target);
    return { path: target, size: written, contentType: recording.contentType };
  } catch (error) {
    await file.close().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    done += (await file.write(bytes, done, bytes.byteLength - done, position + done)).bytesWritten;
  }
}
