import { throwIfAborted } from "../../async/abort.js";
import { checkArgument, checkClient } from "../../errors/check-arguments.js";
import { type DownloadOptions, downloadOptionsSchema } from "../../media/download/download-recording.js";
import { isOfChangedFile } from "../../media/download/recording-transfer.js";
import type { NotetakerLike } from "../../notetaker-like.js";
import { sharingDeadline } from "../../resources/several-requests.js";
import { transportOf } from "../../transport/resource.js";
import { saveTarget } from "./paths.js";
import { replaceFile } from "./replace-file.js";

export interface SaveOptions extends DownloadOptions {}

/** A recording that `saveRecording` has saved. */
export interface SavedRecording {
  /** The absolute path of the file, with links followed. */
  path: string;
  /** In bytes. */
  size: number;
  /** Media type; `undefined` if the storage does not state it. */
  contentType: string | undefined;
  /** Why the recording may be incomplete: the storage stated no length. Else `undefined`. */
  warning?: string | undefined;
}

/**
 * Saves the recording of a meeting (`mtg_…`) at `path`. It is streamed, and resumes after lost connections and expired
 * links. If the recording changes meanwhile, the download begins anew, once. The file appears when it is complete; a failure
 * leaves an existing file unchanged. Guide: docs/uploads-and-recordings.md#recordings.
 * @throws {InvalidArgumentError} for an invalid argument, or a path that cannot be written to; nothing was sent
 * @throws {NotFoundError} if the meeting has no recording
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
  checkArgument("saveRecording", downloadOptionsSchema, options);
  throwIfAborted(options.signal);
  const { target, partial } = await saveTarget("saveRecording", path);
  const nextOptions = sharingDeadline(transportOf(notetaker.meetings), options);
  const save = () =>
    replaceFile("saveRecording", target, partial, async (file) => {
      let size = 0;
      const recording = await notetaker.meetings.downloadRecording(meetingId, nextOptions());
      for await (const chunk of recording.stream as AsyncIterable<Uint8Array>) {
        await file.writeFile(chunk);
        size += chunk.byteLength;
      }
      return { path: target, size, contentType: recording.contentType, warning: recording.warning };
    });
  return save().catch((error: unknown) => {
    if (isOfChangedFile(error)) return save();
    throw error;
  });
}
