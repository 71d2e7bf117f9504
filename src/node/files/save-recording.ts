/** A recording as a file: complete, or not there. */
import type { FileHandle } from "node:fs/promises";
import type { Notetaker } from "../../client.js";
import { checkArgument } from "../../errors/check-argument.js";
import type { DownloadOptions } from "../../media/download/download-options.js";
import { progressOptionsSchema } from "../../transport/request-options-schema.js";
import { replaceFile } from "./replace-file.js";
import { saveTarget } from "./save-target.js";

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
 * @throws {InvalidArgumentError} an argument that cannot be, a place where nothing can be written; nothing was sent
 * @throws {NotFoundError} the meeting has no recording
 * @example
 * await saveRecording(notetaker, "mtg_1", "weekly.mp4", { onProgress: ({ receivedBytes }) => console.log(receivedBytes) });
 */
export async function saveRecording(
  notetaker: Pick<Notetaker, "meetings">,
  meetingId: string,
  path: string | URL,
  options: SaveOptions = {},
): Promise<SavedRecording> {
  checkArgument("saveRecording", progressOptionsSchema, options);
  options.signal?.throwIfAborted();
  const { target, partial } = await saveTarget("saveRecording", path);
  return replaceFile(target, partial, async (file) => {
    let size = 0;
    const onRestart = () => {
      size = 0;
    };
    const recording = await notetaker.meetings.downloadRecording(meetingId, { ...options, onRestart });
    let written = Promise.resolve();
    for await (const piece of recording.stream as AsyncIterable<Uint8Array>) {
      // One piece is written while the next one comes, and never two: after a restart, the new file's come last.
      await written;
      written = writeAt(file, piece, size);
      written.catch(() => {});
      size += piece.byteLength;
    }
    await written;
    await file.truncate(size);
    return { path: target, size, contentType: recording.contentType };
  });
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    done += (await file.write(bytes, done, bytes.byteLength - done, position + done)).bytesWritten;
  }
}
