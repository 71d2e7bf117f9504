/** Builders for the parts of a seed, which add the fields that a test does not set. */
import type { Document } from "../../schemas/document.js";
import { ID_PREFIXES } from "../../schemas/ids.js";
import type { KnownMeetingStatus, Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import { dialogueAt, documentsFromDialogue } from "../content/dialogues.js";
import { spoken, type TranscriptLine } from "../content/transcript-lines.js";
import type { DocumentSeed, EventSeed, MeetingSeed, RoomSeed, TranscriptSeed, WebhookSeed } from "./seed.js";

/** A room. Its meetings can be built inside it. */
export const aRoom = (room: Partial<RoomSeed> = {}): RoomSeed => ({ title: "Product", ...room });

/** A transcript that a builder has made: all but the `meeting_id` of a `Transcript`. */
export type BuiltTranscript = TranscriptSeed & Omit<Transcript, "meeting_id">;

/** A document of a built meeting: also a `DocumentReference`. */
export type BuiltDocument = DocumentSeed & Pick<Document, "id" | "created_at">;

/** A meeting that a builder has made: also a `Meeting`. */
export type BuiltMeeting = MeetingSeed &
  Pick<Meeting, "id" | "source" | "start_time"> & {
    /** Default `completed`. */
    status: KnownMeetingStatus;
    /** Default, for a completed meeting: a summary and action items of its conversation. */
    documents: BuiltDocument[];
  };

/** The number of records that were built: it makes the ids that a test leaves out. */
let built = 0;

const checkedId = <P extends string>(prefix: P, id: string | undefined) => {
  built += 1;
  return (id ?? `${prefix}built${built}`) as `${P}${string}`;
};

/** A day before the time at which an emulator starts by default. */
const START_TIME = "2025-06-01T09:00:00.000Z";

/**
 * A completed meeting with a transcript, a recording, a summary and action items, unless you pass others. By default,
 * its `id` is numbered, and its `start_time` is 2025-06-01T09:00:00Z.
 * @example
 * const service = createEmulator({
 *   seed: { rooms: [aRoom({ title: "Sales", meetings: [aMeeting({ id: "mtg_contoso", title: "Contoso" })] })] },
 * });
 */
export function aMeeting(meeting: MeetingSeed = {}): BuiltMeeting {
  const dialogue = dialogueAt(0);
  const { status = "completed", source = "zoom", start_time = START_TIME } = meeting;
  const title = meeting.title ?? dialogue.title;
  const isCompleted = status === "completed";
  const made: DocumentSeed[] = isCompleted ? documentsFromDialogue(title, dialogue) : [];
  const { documents = made } = meeting;
  return {
    title,
    ...(isCompleted ? { transcript: aTranscript() } : {}),
    ...meeting,
    ...{ id: checkedId(ID_PREFIXES.meetingId, meeting.id), status, source, start_time },
    documents: documents.map((document) => ({ ...aDocument(document), created_at: document.created_at ?? start_time })),
  };
}

/** The lines of a conversation: `{ lines: ["Ada: Good morning."] }`. A longer line takes longer. */
export interface TranscriptLines {
  /** The code of the language. Default: `en`. */
  language?: string | undefined;
  /** The lines in order. */
  lines: readonly TranscriptLine[];
}

const SPEAKERS = ["Ada Okafor", "Ben Castellano", "Chidi Marsh"];

const defaultLines = (): TranscriptLines["lines"] =>
  dialogueAt(0).lines.map(([speaker, text]) => [SPEAKERS[speaker] as string, text]);

/** A transcript of the given lines, or of a default conversation. */
export const aTranscript = ({
  language = "en",
  lines = defaultLines(),
}: Partial<TranscriptLines> = {}): BuiltTranscript => ({ language, ...spoken(lines) });

/** A document of one heading and one paragraph. */
export const aDocument = (document: Partial<DocumentSeed> = {}): DocumentSeed & Pick<BuiltDocument, "id"> => ({
  title: "Notes",
  blocks: [
    { type: "heading", level: 1, text: document.title ?? "Notes" },
    { type: "paragraph", text: dialogueAt(0).summary },
  ],
  ...document,
  id: checkedId(ID_PREFIXES.documentId, document.id),
});

/** A calendar event of the user, half an hour long. `start_time` must be after the emulator's start. */
export const anEvent = (event: Partial<EventSeed> & Pick<EventSeed, "start_time">): EventSeed => ({
  title: "Weekly product sync",
  meeting_url: "https://meet.google.com/abc-defg-hij",
  ...event,
});

/** A webhook for every kind of event. */
export const aWebhook = (webhook: Partial<WebhookSeed> = {}): WebhookSeed => ({
  url: "http://127.0.0.1:3000/webhooks",
  ...webhook,
});
