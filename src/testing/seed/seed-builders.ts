/** Builders of a seed's parts: say what matters to the test, the rest is filled in believably. */
import { DIALOGUES } from "../content/dialogues.js";
import { actionBlocks, summaryBlocks } from "../content/from-dialogue.js";
import type {
  DocumentSeed,
  EventSeed,
  MeetingSeed,
  PermissionSeed,
  RoomSeed,
  TranscriptSeed,
  WebhookSeed,
} from "./seed.js";

/** A room; its meetings may be built in place. */
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
  const title = meeting.title ?? DIALOGUES[0]!.title;
  const ended = (meeting.status ?? "completed") === "completed";
  return {
    title,
    source: "zoom",
    ...(ended
      ? {
          transcript: aTranscript(),
          documents: [
            aDocument({ title: `${title}: summary`, blocks: summaryBlocks(title, DIALOGUES[0]!) }),
            aDocument({ title: `${title}: action items`, blocks: actionBlocks(DIALOGUES[0]!) }),
          ],
        }
      : {}),
    ...meeting,
  };
}

/** What is said, by whom: `{ lines: [["Ada", "Good morning."]] }`. Each line takes as long as it would to say it. */
export interface TranscriptLines {
  language?: string;
  lines: readonly (readonly [speaker: string, text: string])[];
}

const USUAL: TranscriptLines["lines"] = DIALOGUES[0]!.lines.map(([speaker, text]) => [
  ["Ada Okafor", "Ben Castellano", "Chidi Marsh"][speaker]!,
  text,
]);

/** A transcript from lines, or the usual one. */
export function aTranscript({ language = "en", lines = USUAL }: Partial<TranscriptLines> = {}): TranscriptSeed {
  const names = [...new Set(lines.map(([speaker]) => speaker))];
  let time = 0;
  const segments = lines.map(([speaker, text]) => {
    const start_time = time;
    time += Math.max(1, Math.round(text.length / 16));
    return { speaker_id: `spk_${names.indexOf(speaker) + 1}`, start_time, end_time: time, text };
  });
  return { language, speakers: names.map((name, index) => ({ id: `spk_${index + 1}`, name })), segments };
}

/** A document of one heading and one paragraph. */
export const aDocument = (document: Partial<DocumentSeed> = {}): DocumentSeed => ({
  title: "Notes",
  blocks: [
    { type: "heading", level: 1, text: document.title ?? "Notes" },
    { type: "paragraph", text: DIALOGUES[0]!.summary },
  ],
  ...document,
});

/** Access for anyone with the link. */
export const aPermission = (permission: Partial<PermissionSeed> = {}): PermissionSeed => ({
  recipient: { type: "anyone" },
  role: "read",
  ...permission,
});

/** A calendar event of the user's own, half an hour long. `start_time` has to be after the emulator's start. */
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
