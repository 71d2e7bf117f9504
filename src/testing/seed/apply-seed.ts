/** Puts a seed into an empty world. */
import { EVENT_KINDS } from "../../schemas/event.js";
import { applyAutomation, scheduleBot } from "../lifecycle/calendar.js";
import { beginProcessing, newMeeting, shareUrl } from "../lifecycle/meetings.js";
import { newId, type RandomState, randomHex } from "../state/random.js";
import type { EventRecord, TranscriptRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/world.js";
import type { DocumentSeed, MeetingSeed, Seed } from "./seed.js";

type Id<P extends string> = `${P}${string}`;

/** The id that the seed gives, or one made up. */
const idOr = <P extends string>(state: RandomState, prefix: P, id: string | undefined) =>
  (id ?? newId(state, prefix)) as Id<P>;

export function applySeed(world: EmulatorContext, seed: Seed): void {
  const { state, clock } = world;
  const { user, automation = "MANUAL", ...switches } = seed.account ?? {};
  Object.assign(state.account, switches, { user: { ...state.account.user, ...user } });

  for (const document of seed.documents ?? []) applyDocument(world, document);
  for (const meeting of seed.meetings ?? []) applyMeeting(world, meeting);

  for (const room of seed.rooms ?? []) {
    const id = idOr(state, "room_", room.id);
    const created_at = room.created_at ?? clock.timestamp();
    state.rooms.set(id, {
      id,
      title: room.title,
      created_at,
      updated_at: room.updated_at ?? created_at,
      owned: room.owned ?? true,
      share_url: room.share_url === undefined ? shareUrl("r", id) : room.share_url,
      meetings: (room.meetings ?? []).map((one) =>
        typeof one === "string" ? (one as Id<"mtg_">) : applyMeeting(world, one),
      ),
    });
  }

  for (const webhook of seed.webhooks ?? []) {
    const id = idOr(state, "whk_", webhook.id);
    const created_at = webhook.created_at ?? clock.timestamp();
    state.webhooks.set(id, {
      id,
      url: webhook.url,
      events: [...(webhook.events ?? EVENT_KINDS)],
      enabled: webhook.enabled ?? true,
      created_at,
      updated_at: webhook.updated_at ?? created_at,
      secret: webhook.secret ?? `whsec_${randomHex(state, 48)}`,
    });
  }

  for (const event of seed.events ?? []) {
    const id = idOr(state, "evt_", event.id);
    const end = event.end_time ?? new Date(Date.parse(event.start_time) + 30 * 60_000).toISOString();
    const { title, start_time, meeting_url, organized = true, bot = false } = event;
    const record: EventRecord = { id, title, start_time, end_time: end, meeting_url, organized };
    state.events.set(id, record);
    if (bot) scheduleBot(world, record, false);
  }
  applyAutomation(world, automation);
}

function applyDocument({ state, clock }: EmulatorContext, seed: DocumentSeed): Id<"doc_"> {
  const id = idOr(state, "doc_", seed.id);
  state.documents.set(id, {
    id,
    title: seed.title,
    created_at: seed.created_at ?? clock.timestamp(),
    blocks: structuredClone(seed.blocks),
  });
  return id;
}

const DAY_MS = 86_400_000;

function applyMeeting(world: EmulatorContext, seed: MeetingSeed): Id<"mtg_"> {
  const { state, clock } = world;
  const id = idOr(state, "mtg_", seed.id);
  const start_time = seed.start_time ?? clock.timestamp(-DAY_MS);
  const status = seed.status ?? "completed";
  const transcript =
    seed.transcript == null ? null : (structuredClone({ language: "en", ...seed.transcript }) as TranscriptRecord);
  const spoken = Math.ceil(transcript?.segments.at(-1)?.end_time ?? 0);
  const duration = seed.duration === undefined ? (status === "completed" ? spoken : null) : seed.duration;
  const endsAt = duration === null ? null : new Date(Date.parse(start_time) + duration * 1000).toISOString();
  const meeting = newMeeting(world, {
    id,
    title: seed.title ?? null,
    status,
    source: seed.source ?? "zoom",
    start_time,
    end_time: seed.end_time === undefined ? endsAt : seed.end_time,
    duration,
    created_at: seed.created_at ?? start_time,
    owned: seed.owned ?? true,
    documents: (seed.documents ?? []).map((one) =>
      typeof one === "string" ? (one as Id<"doc_">) : applyDocument(world, one),
    ),
    transcript,
    recording: (seed.recording ?? transcript !== null) ? { contentType: "audio/wav" } : null,
    permissions: (seed.permissions ?? []).map(({ id, recipient, role }) => ({
      id: idOr(state, "perm_", id),
      recipient: structuredClone(recipient),
      role,
    })),
    language: transcript?.language ?? "en",
    // A summary that a seed leaves out is not made later.
    summarised: status === "completed",
    ...(seed.host === undefined ? {} : { host: seed.host }),
    ...(seed.share_url === undefined ? {} : { share_url: seed.share_url }),
    ...(seed.participants === undefined
      ? {}
      : {
          participants: seed.participants.map((one) => ({
            name: null,
            email: null,
            title: null,
            company: null,
            ...one,
          })),
        }),
  });
  if (status === "processing") beginProcessing(world, meeting);
  return meeting.id;
}
