import type { FileHandle } from "node:fs/promises";
import * as z from "zod/mini";
import { throwIfAborted } from "../../async/abort.js";
import { checkArgument, checkClient } from "../../errors/check-arguments.js";
import { type DownloadOptions, downloadOptions } from "../../media/download/download-recording.js";
import type { NotetakerLike } from "../../notetaker-like.js";
import { requestOptionsShape } from "../../transport/request-options.js";
import { saveTarget } from "./paths.js";
import { replaceFile } from "./replace-file.js";

/** Options of `saveRecording`. If the recording changes during the download, the download starts again. */
export type SaveOptions = Omit<DownloadOptions, "onRestart">;

const saveOptionsSchema = z.strictObject({ ...requestOptionsShape, onProgress: downloadOptions.onProgress });

/** A recording that `saveRecording` has saved. */
export interface SavedRecording {
  /** The absolute path of the file, with links followed. */
  path: string;
  /** In bytes. */
  size: number;
  /** Media type; `undefined` if the storage does not state it. */
  contentType: string | undefined;
  /** Why the recording may be incomplete: the storage stated no length, and supports no ranges. Else `undefined`. */
  warning?: string | undefined;
}

/**
 * Saves the recording of a meeting (`mtg_…`) at `path`. It is streamed, and resumes after lost connections and expired
 * links. The file appears when it is complete; a failure leaves an existing file unchanged. Guide:
 * docs/uploads-and-recordings.md#recordings.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} for an invalid argument, or a path that cannot be written
 * to; nothing was sent
 * @throws {NotFoundError} {@link NotFoundError} if the meeting has no recording
 * @example
 * const onProgress = ({ receivedBytes }) => console.log(receivedBytes);
 * await saveRecording(notetaker, "mtg_1", "weekly.mp4", { onProgress });
 */
export async function saveRecording(
  notetaker: {
    /** Reads recordings. */
    readonly meetings: Pick<NotetakerLike["meetings"], "downloadRecording">;
  },
  meetingId: string,
  path: string | URL,
  options: SaveOptions = {},
): Promise<SavedRecording> {
  checkClient("saveRecording", notetaker);
  checkArgument("saveRecording", saveOptionsSchema, options);
  throwIfAborted(options.signal);
  const { target, partial } = await saveTarget("saveRecording", path);
  return replaceFile("saveRecording", target, partial, async (file) => {
    let size = 0;
    const onRestart = () => {
      size = 0;
    };
    const recording = await notetaker.meetings.downloadRecording(meetingId, { ...options, onRestart });
    let pendingWrite = Promise.resolve();
    for await (const chunk of recording.stream as AsyncIterable<Uint8Array>) {
      // At most one chunk is being written while the next one arrives. So after a restart, no older chunk overwrites a
      // newer one.
      await pendingWrite;
      pendingWrite = writeAt(file, chunk, size);
      pendingWrite.catch(() => {});
      size += chunk.byteLength;
    }
    await pendingWrite;
    await file.truncate(size);
    return { path: target, size, contentType: recording.contentType, warning: recording.warning };
  });
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength; ) {
    done += (await file.write(bytes, done, bytes.byteLength - done, position + done)).bytesWritten;
  }
}
