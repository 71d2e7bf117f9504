/** Interface, "States and transitions": what becomes of a meeting once its media is there. */
import { DIALOGUES } from "../content/dialogues.js";
import { actionBlocks, summaryBlocks, transcriptFromDialogue } from "../content/from-dialogue.js";
import { newId, nextRandom } from "../state/random.js";
import type { DocumentRecord, MeetingRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/world.js";

/** A meeting with nothing in it yet. */
export function newMeeting(
  world: EmulatorContext,
  known: Pick<MeetingRecord, "id" | "status" | "source"> & Partial<MeetingRecord>,
): MeetingRecord {
  const { user } = world.state.account;
  const now = world.clock.timestamp();
  const meeting: MeetingRecord = {
    title: null,
    start_time: now,
    end_time: null,
    duration: null,
    created_at: now,
    owned: true,
    host: { ...user },
    participants: [{ name: user.name, email: user.email, title: null, company: null }],
    documents: [],
    transcript: null,
    recording: null,
    permissions: [],
    share_url: shareUrl("m", known.id),
    language: "en",
    summarised: false,
    ...known,
  };
  world.state.meetings.set(meeting.id, meeting);
  return meeting;
}

/** Where people open what was shared with them; nothing answers there. */
export const shareUrl = (kind: "m" | "r", id: string) => `https://app.notetaker.test/${kind}/${id}`;

/** The file is complete: transcription begins. */
export function beginProcessing(world: EmulatorContext, meeting: MeetingRecord): void {
  meeting.status = "processing";
  if (world.life !== "manual") world.clock.schedule(world.life.transcribeMs, "meeting.transcribe", meeting.id);
}

/** The transcript is ready, and with it the meeting is completed. */
export function transcribe(world: EmulatorContext, meeting: MeetingRecord): void {
  if (meeting.status !== "processing") return;
  const dialogue = DIALOGUES[Math.floor(nextRandom(world.state) * DIALOGUES.length)]!;
  const names = meeting.participants.flatMap(({ name }) => (name === null ? [] : [name]));
  while (names.length < 2) names.push(`Speaker ${names.length + 1}`);
  meeting.transcript ??= transcriptFromDialogue(world.state, dialogue, names, meeting.language);
  meeting.title ??= dialogue.title;
  const spoken = Math.ceil(meeting.transcript.segments.at(-1)?.end_time ?? 0);
  meeting.duration = Math.max(meeting.duration ?? 0, spoken);
  meeting.end_time = new Date(Date.parse(meeting.start_time) + meeting.duration * 1000).toISOString();
  meeting.recording ??= { contentType: "audio/wav" };
  meeting.status = "completed";
  world.emit("meeting.transcript_ready", meeting);
  if (world.life !== "manual") world.clock.schedule(world.life.summariseMs, "meeting.summarise", meeting.id);
}

/** The initial summary is ready, as documents of the meeting. */
export function summarise(world: EmulatorContext, meeting: MeetingRecord): void {
  if (meeting.status !== "completed" || meeting.summarised) return;
  const dialogue =
    DIALOGUES.find(({ lines }) => lines[0]?.[1] === meeting.transcript?.segments[0]?.text) ?? DIALOGUES[0]!;
  const title = meeting.title ?? dialogue.title;
  addDocument(world, meeting, `${title}: summary`, summaryBlocks(title, dialogue));
  addDocument(world, meeting, `${title}: action items`, actionBlocks(dialogue));
  meeting.summarised = true;
  world.emit("meeting.initial_summary_ready", meeting);
}

function addDocument(
  world: EmulatorContext,
  meeting: MeetingRecord,
  title: string,
  blocks: DocumentRecord["blocks"],
): void {
  const document: DocumentRecord = {
    id: newId(world.state, "doc_"),
    title,
    created_at: world.clock.timestamp(),
    blocks,
  };
  world.state.documents.set(document.id, document);
  meeting.documents.push(document.id);
}

/** Processing, or the call, came to nothing. */
export function failMeeting(world: EmulatorContext, meeting: MeetingRecord): void {
  meeting.status = "failed";
  world.clock.unschedule("meeting.transcribe", meeting.id);
}
