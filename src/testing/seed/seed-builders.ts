/** Builders for the parts of a seed. A test sets the fields that it needs, and the builder adds the others. */
import { CHARACTERS_PER_SECOND, dialogueAt, documentsFromDialogue, segmentsOf } from "../content/dialogues.js";
import type {
  DocumentSeed,
  EventSeed,
  MeetingSeed,
  PermissionSeed,
  RoomSeed,
  TranscriptSeed,
  WebhookSeed,
} from "./seed.js";

/** A room. Its meetings can be built inside it. */
export const aRoom = (room: Partial<RoomSeed> = {}): RoomSeed => ({ title: "Product", ...room });

/**
 * A completed meeting with a transcript, a recording, a summary and action items.
 *
 * @example
 * const service = createEmulator({
 *   seed: { rooms: [aRoom({ title: "Sales", meetings: [aMeeting({ id: "mtg_contoso", title: "Contoso" })] })] },
 * });
 */
export function aMeeting(meeting: MeetingSeed = {}): MeetingSeed {
  const dialogue = dialogueAt(0);
  const title = meeting.title ?? dialogue.title;
  const isCompleted = (meeting.status ?? "completed") === "completed";
  const content = { transcript: aTranscript(), documents: documentsFromDialogue(title, dialogue) };
  return { title, source: "zoom", ...(isCompleted ? content : {}), ...meeting };
}

/**
 * The lines of a conversation: `{ lines: [["Ada", "Good morning."]] }`. The length of a line determines how long it
 * takes.
 */
export interface TranscriptLines {
  /** The code of the language. Default: `en`. */
  language?: string | undefined;
  /** Speaker and text of each line, in order. */
  lines: readonly (readonly [speaker: string, text: string])[];
}

const SPEAKERS = ["Ada Okafor", "Ben Castellano", "Chidi Marsh"];

const defaultLines = (): TranscriptLines["lines"] =>
  dialogueAt(0).lines.map(([speaker, text]) => [SPEAKERS[speaker] as string, text]);

/** Times in whole seconds, so that a test can predict them. */
const WHOLE_SECONDS = {
  startSeconds: 0,
  gapSeconds: 0,
  lineSeconds: (text: string) => Math.max(1, Math.round(text.length / CHARACTERS_PER_SECOND)),
};

/** A transcript of the given lines, or of a default conversation. */
export function aTranscript({
  language = "en",
  lines = defaultLines(),
}: Partial<TranscriptLines> = {}): TranscriptSeed {
  const names = [...new Set(lines.map(([speaker]) => speaker))];
  const spoken = lines.map(([speaker, text]) => ({ speaker_id: `spk_${names.indexOf(speaker) + 1}` as const, text }));
  const speakers = names.map((name, index) => ({ id: `spk_${index + 1}`, name }));
  return { language, speakers, segments: segmentsOf(spoken, WHOLE_SECONDS) };
}

/** A document of one heading and one paragraph. */
export const aDocument = (document: Partial<DocumentSeed> = {}): DocumentSeed => ({
  title: "Notes",
  blocks: [
    { type: "heading", level: 1, text: document.title ?? "Notes" },
    { type: "paragraph", text: dialogueAt(0).summary },
  ],
  ...document,
});

/** Access for anyone with the link. */
export const aPermission = (permission: Partial<PermissionSeed> = {}): PermissionSeed => ({
  recipient: { type: "anyone" },
  role: "read",
  ...permission,
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
