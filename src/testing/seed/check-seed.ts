/**
 * Finds the mistakes in a seed and their paths. A seed may come from a file, which no compiler checks. Each schema has
 * the fields of its seed and of the service's record, so that a field that one of them lacks does not compile.
 */
import * as z from "zod/mini";
import { conferenceService } from "../../links/conference-link.js";
import { AUTOMATION_MODES } from "../../schemas/automation.js";
import { MEETING_URL_MAX } from "../../schemas/bot.js";
import type { Document } from "../../schemas/document.js";
import type { Issue } from "../../schemas/format-issues.js";
import { idParam } from "../../schemas/ids.js";
import { MEETING_STATUSES, type Meeting, participantSchema } from "../../schemas/meeting.js";
import { type Permission, publicIsReadOnly } from "../../schemas/permission.js";
import {
  enumOf,
  integer,
  maxLength,
  nonEmptyString,
  nullish,
  type OptionsShape,
  optionsSchema,
  type Schema,
  stringOf,
  timestamp,
} from "../../schemas/primitives.js";
import type { Room } from "../../schemas/room.js";
import { segmentSchema, speakerSchema, type Transcript } from "../../schemas/transcript.js";
import { type Webhook, webhookEvents, webhookUrl } from "../../schemas/webhook.js";
import { mistakesIn, shapeOf, stringOr } from "../emulator-error.js";
import type {
  AccountSeed,
  DocumentSeed,
  EventSeed,
  MeetingSeed,
  PermissionSeed,
  RoomSeed,
  Seed,
  TranscriptSeed,
  WebhookSeed,
} from "./seed.js";

const optionalText = z.optional(z.string());
const optionalName = z.optional(nonEmptyString());
const optionalTime = z.optional(timestamp());
const optionalFlag = z.optional(z.boolean());
const optionalList = <T>(item: z.ZodMiniType<T>) => z.optional(z.array(item));
/** An object of the service, in which an unknown field is a mistake. */
const closed = <T>(schema: Schema<T>) => z.strictObject(shapeOf(schema)) as z.ZodMiniType as Schema<T>;

const blockSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("heading"), level: z.literal([1, 2, 3]), text: z.string() }),
    z.strictObject({ type: z.literal("paragraph"), text: z.string() }),
    z.strictObject({ type: z.literal("list"), items: z.array(z.string()), ordered: optionalFlag }),
    z.strictObject({ type: z.literal("table"), rows: z.array(z.array(z.string())) }),
  ],
  { error: "expected one of heading, paragraph, list, table" },
);

export const documentSeedSchema = optionsSchema<DocumentSeed>()({
  id: z.optional(idParam("documentId")),
  title: z.string(),
  created_at: optionalTime,
  blocks: z.array(blockSchema),
} satisfies OptionsShape<DocumentSeed & Omit<Document, "format" | "content">>);

export const permissionSeedSchema = optionsSchema<PermissionSeed>()({
  id: optionalName,
  recipient: z.looseObject({ type: nonEmptyString() }),
  role: nonEmptyString(),
} satisfies OptionsShape<PermissionSeed & Permission>).check(publicIsReadOnly);

export const transcriptSeedSchema = optionsSchema<TranscriptSeed>()({
  language: optionalName,
  speakers: z.array(closed(speakerSchema)),
  segments: z.array(closed(segmentSchema)),
} satisfies OptionsShape<TranscriptSeed & Omit<Transcript, "meeting_id">>).check(
  ({ value: { speakers, segments }, issues }) => {
    const refuse = (message: string, ...path: (string | number)[]) =>
      issues.push({ code: "custom", input: undefined, path, message });
    const speakerIds = new Set<string>();
    for (const [index, { id }] of speakers.entries()) {
      if (speakerIds.has(id)) refuse(`${id} is already the id of another speaker`, "speakers", index, "id");
      speakerIds.add(id);
    }
    for (const [index, { speaker_id, start_time, end_time }] of segments.entries()) {
      const path = ["segments", index];
      if (!speakerIds.has(speaker_id)) refuse(`this transcript has no speaker ${speaker_id}`, ...path, "speaker_id");
      if (end_time < start_time) refuse("end_time is earlier than start_time", ...path, "end_time");
      if (start_time < (segments[index - 1]?.start_time ?? 0)) {
        const message = "start_time is earlier than the previous segment's; segments must be in chronological order";
        refuse(message, ...path, "start_time");
      }
    }
  },
);

export const meetingSeedSchema = optionsSchema<MeetingSeed>()({
  id: z.optional(idParam("meetingId")),
  title: nullish(z.string()),
  status: z.optional(enumOf(MEETING_STATUSES)),
  source: optionalName,
  start_time: optionalTime,
  end_time: nullish(timestamp()),
  duration: nullish(integer()),
  created_at: optionalTime,
  owned: optionalFlag,
  host: nullish(z.strictObject({ id: nonEmptyString(), name: z.string(), email: z.string() })),
  participants: optionalList(closed(participantSchema)),
  documents: optionalList(stringOr(idParam("documentId"), documentSeedSchema)),
  transcript: nullish(transcriptSeedSchema),
  recording: optionalFlag,
  permissions: optionalList(permissionSeedSchema),
  share_url: optionalName,
} satisfies OptionsShape<MeetingSeed & Meeting>);

export const roomSeedSchema = optionsSchema<RoomSeed>()({
  id: z.optional(idParam("roomId")),
  title: z.string(),
  created_at: optionalTime,
  updated_at: optionalTime,
  owned: optionalFlag,
  share_url: nullish(nonEmptyString()),
  meetings: optionalList(stringOr(idParam("meetingId"), meetingSeedSchema)),
} satisfies OptionsShape<RoomSeed & Omit<Room, "meeting_count" | "documents">>);

export const eventSeedSchema = optionsSchema<EventSeed>()({
  id: z.optional(idParam("eventId")),
  title: z.string(),
  start_time: timestamp(),
  end_time: optionalTime,
  meeting_url: maxLength(MEETING_URL_MAX).check(
    z.refine((link) => conferenceService(link) !== undefined, {
      error: "expected a Zoom, Google Meet, Microsoft Teams or Webex join link",
    }),
  ),
  organized: optionalFlag,
  bot: optionalFlag,
});

/** With a blank secret, nothing can be signed. */
export const webhookSecret = stringOf((secret) => secret.trim() !== "", "a string that is not blank");

export const webhookSeedSchema = optionsSchema<WebhookSeed>()({
  id: z.optional(idParam("webhookId")),
  url: webhookUrl,
  events: z.optional(webhookEvents),
  enabled: optionalFlag,
  secret: z.optional(webhookSecret),
  created_at: optionalTime,
  updated_at: optionalTime,
} satisfies OptionsShape<WebhookSeed & Webhook>);

const accountSchema = optionsSchema<AccountSeed>()({
  user: z.optional(z.strictObject({ id: optionalName, name: optionalText, email: optionalText })),
  automation: z.optional(enumOf(AUTOMATION_MODES)),
  calendarConnected: optionalFlag,
  usageLimitReached: optionalFlag,
});

/** Without the references between the parts of the seed. */
export const seedSchema = optionsSchema<Seed>()({
  random: z.optional(integer()),
  now: optionalTime,
  account: z.optional(accountSchema),
  rooms: optionalList(roomSeedSchema),
  meetings: optionalList(meetingSeedSchema),
  documents: optionalList(documentSeedSchema),
  events: optionalList(eventSeedSchema),
  webhooks: optionalList(webhookSeedSchema),
});

/** Every mistake in the seed. References between its parts are checked only if each part is valid. */
export function seedMistakes(seed: unknown): Issue[] {
  const mistakes = mistakesIn(seedSchema, seed);
  return mistakes.length > 0 ? mistakes : referenceMistakes(seed as Seed);
}

/** The lists of records in a seed, in a room and in a meeting. */
const LISTS = ["documents", "permissions", "meetings", "rooms", "events", "webhooks"] as const;

type SeedRecord = { [L in (typeof LISTS)[number]]?: readonly (SeedRecord | string)[] | undefined } & {
  id?: string | undefined;
};

/** Every record in `holder`, and every id that stands for a record, with its path. */
function* recordsIn(holder: SeedRecord, prefix = ""): Generator<[path: string, record: SeedRecord | string]> {
  for (const list of LISTS) {
    for (const [index, record] of (holder[list] ?? []).entries()) {
      const path = `${prefix}${list}[${index}]`;
      yield [path, record];
      // The `events` of a webhook are kinds of event.
      if (typeof record !== "string" && list !== "webhooks") yield* recordsIn(record, `${path}.`);
    }
  }
}

/** The ids that two records have, and the ids in lists that no record has. */
function referenceMistakes(seed: Seed): Issue[] {
  const pathById = new Map<string, string>();
  const mistakes: Issue[] = [];
  const references: [path: string, id: string][] = [];
  for (const [path, record] of recordsIn(seed)) {
    if (typeof record === "string") {
      references.push([path, record]);
      continue;
    }
    const { id } = record;
    const first = pathById.get(id ?? "");
    if (first !== undefined) mistakes.push({ path: `${path}.id`, message: `${id} is already the id of ${first}` });
    else if (id !== undefined) pathById.set(id, path);
  }
  for (const [path, id] of references) {
    const [, noun] = /(\w+)s\[\d+\]$/.exec(path) ?? [];
    if (!pathById.has(id)) mistakes.push({ path, message: `this seed has no ${noun} ${id}` });
  }
  return mistakes;
}
