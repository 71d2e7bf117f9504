import { ID_PREFIXES } from "../../schemas/ids.js";
import { meetingFields, participantFields } from "../../schemas/meeting.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import { DIALOGUES, dialogueAt, documentsFromDialogue, transcriptFromDialogue } from "../content/dialogues.js";
import { LATEST_MS } from "../state/clock.js";
import { emptyRecord } from "../state/fields.js";
import { newId, randomInteger } from "../state/random.js";
import type { DocumentRecord, MeetingRecord, PersonRecord, TranscriptRecord } from "../state/records.js";
import { type EmulatorContext, scheduleStep } from "../state/state.js";

export const UNKNOWN_PERSON: PersonRecord = emptyRecord(participantFields);

/** Adds a meeting: with `fields`, and otherwise like one that has just begun. */
export function newMeeting(
  context: EmulatorContext,
  fields: Pick<MeetingRecord, "id" | "status" | "source"> & Partial<MeetingRecord>,
): MeetingRecord {
  const { user } = context.state.account;
  const now = context.clock.timestamp();
  const meeting: MeetingRecord = {
    ...emptyRecord(meetingFields),
    start_time: now,
    created_at: now,
    owned: true,
    host: { ...user },
    participants: [{ ...UNKNOWN_PERSON, name: user.name, email: user.email }],
    documents: [],
    transcript: null,
    recording: null,
    permissions: [],
    share_url: shareUrl("m", fields.id),
    language: "en",
    summarised: false,
    ...fields,
  };
  context.state.meetings.set(meeting.id, meeting);
  return meeting;
}

/** The URL of the page of a shared meeting (`m`) or room (`r`). The emulator does not serve the page. */
export const shareUrl = (kind: "m" | "r", id: string) => `https://app.notetaker.test/${kind}/${id}`;

/** The timestamp that many seconds later, within the range of `Date`. */
export const secondsAfter = (timestamp: string, seconds: number) =>
  new Date(Math.max(-LATEST_MS, Math.min(parseTimestamp(timestamp) + seconds * 1000, LATEST_MS))).toISOString();

export const spokenSeconds = (transcript: TranscriptRecord | null) =>
  Math.ceil(transcript?.segments.at(-1)?.end_time ?? 0);

export function beginProcessing(context: EmulatorContext, meeting: MeetingRecord): void {
  meeting.status = "processing";
  scheduleStep(context, "transcribeMs", () => transcribe(context, meeting));
}

/** The names of the participants, at least two: `Speaker 2`. */
function participantNames({ participants }: MeetingRecord): string[] {
  const names = participants.flatMap(({ name }) => (name === null ? [] : [name]));
  while (names.length < 2) names.push(`Speaker ${names.length + 1}`);
  return names;
}

/** A test may have deleted the meeting before its step is due. */
const isThere = ({ state }: EmulatorContext, { id }: MeetingRecord) => state.meetings.has(id);

export function transcribe(context: EmulatorContext, meeting: MeetingRecord): void {
  if (meeting.status !== "processing" || !isThere(context, meeting)) return;
  const dialogue = dialogueAt(randomInteger(context.state, DIALOGUES.length));
  if (meeting.transcript === null) {
    meeting.transcript = transcriptFromDialogue(context.state, dialogue, participantNames(meeting), meeting.language);
  }
  meeting.title ??= dialogue.title;
  meeting.duration = Math.max(meeting.duration ?? 0, spokenSeconds(meeting.transcript));
  meeting.end_time = secondsAfter(meeting.start_time, meeting.duration);
  meeting.recording ??= { contentType: "audio/wav" };
  meeting.status = "completed";
  context.emit("meeting.transcript_ready", meeting);
  scheduleStep(context, "summariseMs", () => summarise(context, meeting));
}

export function summarise(context: EmulatorContext, meeting: MeetingRecord): void {
  if (meeting.status !== "completed" || meeting.summarised || !isThere(context, meeting)) return;
  const firstWords = meeting.transcript?.segments[0]?.text;
  const dialogue = DIALOGUES.find(({ lines }) => lines[0]?.[1] === firstWords) ?? dialogueAt(0);
  const meetingTitle = meeting.title ?? dialogue.title;
  for (const { title, blocks } of documentsFromDialogue(meetingTitle, dialogue, context.settings.titles)) {
    const id = newId(context.state, ID_PREFIXES.documentId);
    context.state.documents.set(id, { id, title, created_at: context.clock.timestamp(), blocks });
    meeting.documents.push(id);
  }
  meeting.summarised = true;
  context.emit("meeting.initial_summary_ready", meeting);
}

/** Adds a document to a meeting. The service announces a summary, as the first one is. */
export function addDocument(context: EmulatorContext, meeting: MeetingRecord, document: DocumentRecord) {
  meeting.documents.push(document.id);
  if (document.title.toLowerCase().includes(context.settings.titles.summary.toLowerCase())) {
    meeting.summarised = true;
    context.emit("meeting.initial_summary_ready", meeting);
  }
  return document;
}

/** Deletes a meeting and everything that belongs to it. Its bot ends, so that no later step brings it back. */
export function deleteMeeting({ state }: EmulatorContext, { id, documents }: MeetingRecord): void {
  state.meetings.delete(id);
  for (const room of state.rooms.values()) room.meetings = room.meetings.filter((meetingId) => meetingId !== id);
  for (const documentId of documents) state.documents.delete(documentId);
  for (const bot of state.bots) if (bot.meetingId === id) bot.state = "finished";
}

export function failMeeting(meeting: MeetingRecord): void {
  meeting.status = "failed";
}
