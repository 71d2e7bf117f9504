/** Finds the mistakes in a seed and their paths. A seed may come from a file, which no compiler checks. */
import * as z from "zod/mini";
import { AUTOMATION_MODES } from "../../schemas/automation.js";
import { MEETING_URL_MAX } from "../../schemas/bot.js";
import { conferenceService } from "../../schemas/conference-link.js";
import { EVENT_KINDS } from "../../schemas/event.js";
import type { Issue } from "../../schemas/format-issues.js";
import { isSecureUrl } from "../../schemas/http-url.js";
import { idParam } from "../../schemas/ids.js";
import { MEETING_STATUSES } from "../../schemas/meeting.js";
import { RECIPIENT_ANYONE, ROLE_READ } from "../../schemas/permission.js";
import {
  enumOf,
  integer,
  maxLength,
  nonEmptyArray,
  nonEmptyString,
  nullish,
  numberOf,
  optionsSchema,
  timestamp,
} from "../../schemas/primitives.js";
import { WEBHOOK_URL_MAX } from "../../schemas/webhook.js";
import { mistakesIn, stringOr } from "../emulator-error.js";
import type { PersonRecord, WireChanges } from "../state/records.js";
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
const literal = <T extends string>(value: T) => z.literal(value);

const anyFields = z.record(z.string(), z.unknown());
const changes = { extra: z.optional(anyFields), absent: optionalList(z.string()) };
const wireChanges = z.optional(optionsSchema<WireChanges>()(changes));

const HEADING_LEVELS = [1, 2, 3] as const;

const blockSchema = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: literal("heading"), level: z.literal(HEADING_LEVELS), text: z.string() }),
    z.strictObject({ type: literal("paragraph"), text: z.string() }),
    z.strictObject({ type: literal("list"), items: z.array(z.string()), ordered: optionalFlag }),
    z.strictObject({ type: literal("table"), rows: z.array(z.array(z.string())) }),
    z.strictObject({ type: literal("other"), json: z.unknown() }),
  ],
  { error: "expected one of heading, paragraph, list, table, other" },
);

/** The schema of a document, alone or in a seed. */
export const documentSchema = optionsSchema<DocumentSeed>()({
  ...changes,
  id: z.optional(idParam("documentId")),
  title: z.string(),
  created_at: optionalTime,
  blocks: z.array(blockSchema),
  reference: wireChanges,
});

const permissionSchema = optionsSchema<PermissionSeed>()({
  ...changes,
  id: optionalName,
  recipient: z.looseObject({ type: nonEmptyString() }),
  role: nonEmptyString(),
});

const seconds = numberOf((value) => Number.isFinite(value) && value >= 0, "a number of seconds from 0 up");

const transcriptSchema = optionsSchema<TranscriptSeed>()({
  ...changes,
  language: optionalName,
  speakers: z.array(z.strictObject({ id: idParam("speakerId"), name: z.string() })),
  segments: z.array(
    z.strictObject({ speaker_id: idParam("speakerId"), start_time: seconds, end_time: seconds, text: z.string() }),
  ),
});

const personSchema = optionsSchema<PersonRecord>()({
  name: nullish(z.string()),
  email: nullish(z.string()),
  title: nullish(z.string()),
  company: nullish(z.string()),
});

const meetingSchema = optionsSchema<MeetingSeed>()({
  ...changes,
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
  participants: optionalList(personSchema),
  documents: optionalList(stringOr(idParam("documentId"), documentSchema)),
  transcript: nullish(transcriptSchema),
  recording: optionalFlag,
  permissions: optionalList(permissionSchema),
  share_url: optionalName,
  summary: wireChanges,
});

const roomSchema = optionsSchema<RoomSeed>()({
  ...changes,
  id: z.optional(idParam("roomId")),
  title: z.string(),
  created_at: optionalTime,
  updated_at: optionalTime,
  owned: optionalFlag,
  share_url: nullish(nonEmptyString()),
  meetings: optionalList(stringOr(idParam("meetingId"), meetingSchema)),
});

const eventSchema = optionsSchema<EventSeed>()({
  ...changes,
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

const webhookSchema = optionsSchema<WebhookSeed>()({
  ...changes,
  id: z.optional(idParam("webhookId")),
  url: maxLength(WEBHOOK_URL_MAX).check(
    z.refine((url) => isSecureUrl(url), { error: "expected an absolute https: URL (http: for loopback hosts)" }),
  ),
  events: z.optional(nonEmptyArray(enumOf(EVENT_KINDS), "kind of event")),
  enabled: optionalFlag,
  secret: optionalName,
  created_at: optionalTime,
  updated_at: optionalTime,
});

const accountSchema = optionsSchema<AccountSeed>()({
  user: z.optional(z.strictObject({ id: optionalName, name: optionalText, email: optionalText })),
  automation: z.optional(enumOf(AUTOMATION_MODES)),
  calendarConnected: optionalFlag,
  usageLimitReached: optionalFlag,
});

/** Without the references between the parts of the seed. */
const seedSchema = optionsSchema<Seed>()({
  random: z.optional(integer()),
  now: optionalTime,
  account: z.optional(accountSchema),
  rooms: optionalList(roomSchema),
  meetings: optionalList(meetingSchema),
  documents: optionalList(documentSchema),
  events: optionalList(eventSchema),
  webhooks: optionalList(webhookSchema),
});

/** Every mistake in the seed. References between its parts are checked only if each part is valid. */
export function seedMistakes(seed: unknown): Issue[] {
  const mistakes = mistakesIn(seedSchema, seed);
  return mistakes.length > 0 ? mistakes : new SeedReferences(seed as Seed).mistakes();
}

interface Identified {
  id?: string | undefined;
}

type Visit<T> = (item: T, path: string) => void;

function visitEach<T>(items: readonly T[] | undefined, path: string, visit: Visit<T>): void {
  for (const [index, item] of items?.entries() ?? []) visit(item, `${path}[${index}]`);
}

/** Collects the ids of a seed, and the references to them. */
class SeedReferences {
  readonly #mistakes: Issue[] = [];
  readonly #pathById = new Map<string, string>();
  readonly #references: { id: string; path: string; noun: string }[] = [];

  constructor(seed: Seed) {
    visitEach(seed.documents, "documents", this.#define);
    visitEach(seed.meetings, "meetings", this.#visitMeeting);
    visitEach(seed.rooms, "rooms", (room, path) => {
      this.#define(room, path);
      visitEach(room.meetings, `${path}.meetings`, this.#referTo("meeting", this.#visitMeeting));
    });
    visitEach(seed.events, "events", this.#define);
    visitEach(seed.webhooks, "webhooks", this.#define);
  }

  mistakes(): Issue[] {
    const unknown = this.#references
      .filter(({ id }) => !this.#pathById.has(id))
      .map(({ id, path, noun }) => ({ path, message: `this seed has no ${noun} ${id}` }));
    return [...this.#mistakes, ...unknown];
  }

  readonly #define = ({ id }: Identified, path: string): void => {
    if (id === undefined) return;
    const first = this.#pathById.get(id);
    if (first === undefined) this.#pathById.set(id, path);
    else this.#mistakes.push({ path: `${path}.id`, message: `${id} is already the id of ${first}` });
  };

  readonly #visitMeeting = (meeting: MeetingSeed, path: string): void => {
    this.#define(meeting, path);
    visitEach(meeting.documents, `${path}.documents`, this.#referTo("document", this.#define));
    visitEach(meeting.permissions, `${path}.permissions`, (permission, permissionPath) => {
      this.#define(permission, permissionPath);
      this.#mistakes.push(...permissionMistakes(permission, permissionPath));
    });
    if (meeting.transcript != null) {
      this.#mistakes.push(...transcriptMistakes(meeting.transcript, `${path}.transcript`));
    }
  };

  /** A visitor for items that are an id of a record elsewhere in the seed, or the record itself. */
  #referTo<T>(noun: string, visit: Visit<T>): Visit<string | T> {
    return (item, path) => {
      if (typeof item === "string") this.#references.push({ id: item, path, noun });
      else visit(item, path);
    };
  }
}

const permissionMistakes = ({ recipient, role }: PermissionSeed, path: string): Issue[] =>
  recipient.type === RECIPIENT_ANYONE && role !== ROLE_READ
    ? [{ path: `${path}.role`, message: `public access is read-only: expected "${ROLE_READ}", received "${role}"` }]
    : [];

function transcriptMistakes({ speakers, segments }: TranscriptSeed, path: string): Issue[] {
  const mistakes: Issue[] = [];
  const speakerIds = new Set<string>();
  visitEach(speakers, `${path}.speakers`, (speaker, speakerPath) => {
    if (speakerIds.has(speaker.id)) {
      mistakes.push({ path: `${speakerPath}.id`, message: `${speaker.id} is already the id of another speaker` });
    }
    speakerIds.add(speaker.id);
  });
  let previousStart = 0;
  visitEach(segments, `${path}.segments`, (segment, segmentPath) => {
    const { speaker_id, start_time, end_time } = segment;
    if (!speakerIds.has(speaker_id)) {
      mistakes.push({ path: `${segmentPath}.speaker_id`, message: `this transcript has no speaker ${speaker_id}` });
    }
    if (end_time < start_time) {
      mistakes.push({ path: `${segmentPath}.end_time`, message: "end_time is earlier than start_time" });
    }
    if (start_time < previousStart) {
      mistakes.push({
        path: `${segmentPath}.start_time`,
        message: "start_time is earlier than the previous segment's; segments must be in chronological order",
      });
    }
    previousStart = start_time;
  });
  return mistakes;
}
