/** Fetches one piece of a meeting and gives it to the sink. */
import { extensionOfMediaType } from "../../schemas/media-type.js";
import { DOCUMENT_EXTENSIONS, documentBytes } from "../files/document-file.js";
import { json, type QueuedMeeting } from "./checkpoint.js";
import { callOptions, type Run } from "./export-context.js";
import type { Piece } from "./pieces.js";
import { transcriptExtension, transcriptText } from "./transcript-file.js";

/** Resolves once the sink has kept every file of the piece. */
export async function savePiece(run: Run, queued: QueuedMeeting, piece: Piece): Promise<void> {
  const { notetaker, plan, requests, output } = run;
  const { meeting, folder } = queued;
  switch (piece.kind) {
    case "transcript": {
      const { data } = await requests.persistently(() =>
        notetaker.meetings.getTranscript(meeting.id, callOptions(run)).withResponse(),
      );
      const files = plan.transcript.map((form) => ({
        path: `${folder}/transcript.${transcriptExtension(form)}`,
        bytes: Buffer.from(transcriptText(form, data, meeting)),
      }));
      for (const { path, bytes } of files) await output.saveFile(path, bytes);
      return;
    }
    case "document": {
      const { id, name, format } = piece;
      const answer = await requests.persistently(() =>
        notetaker.documents.get(id, { format }, callOptions(run)).withResponse(),
      );
      const path = `${folder}/documents/${name}.${DOCUMENT_EXTENSIONS[format]}`;
      await output.saveFile(path, documentBytes(answer, format));
      return;
    }
    case "recording":
      await saveRecordingPiece(run, queued);
  }
}

/**
 * A recording does not change and may be large, so one that was saved is not fetched again: `recording.json` beside it says so,
 * and is written after it.
 */
async function saveRecordingPiece(
  { notetaker, requests, output, signal }: Run,
  { meeting, folder }: QueuedMeeting,
): Promise<void> {
  const note = `${folder}/recording.json`;
  if ((await output.read(note)) !== undefined) return;
  // It asks for links, waits and goes on by itself.
  const { download } = await requests.once(async () => ({
    download: await notetaker.meetings.downloadRecording(meeting.id, { signal }),
    rateLimit: undefined,
  }));
  const contentType = download.contentType ?? null;
  const file = `recording.${extensionOfMediaType(contentType ?? "") ?? "bin"}`;
  const size = await output.saveStream(`${folder}/${file}`, download.stream);
  await output.saveFile(note, json({ file, size, contentType }));
}
