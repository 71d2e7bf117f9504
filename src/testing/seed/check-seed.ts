/** Finds what breaks the interface in a seed, and says where: a seed may come from a file that no compiler has seen. */
import { AUTOMATION_MODES } from "../../schemas/automation.js";
import { MEETING_URL_MAX } from "../../schemas/bot.js";
import { EVENT_KINDS } from "../../schemas/event.js";
import { MEETING_STATUSES } from "../../schemas/meeting.js";
import { RECIPIENT_ANYONE, ROLE_READ } from "../../schemas/permission.js";
import { WEBHOOK_URL_MAX } from "../../schemas/webhook.js";
import type { Mistake } from "../emulator-error.js";
import {
  all,
  anyText,
  atMost,
  boolean,
  conferenceLink,
  deliveryUrl,
  filledText,
  idOf,
  type Rule,
} from "../http/rules.js";
import {
  checked,
  integer,
  list,
  nullable,
  object,
  oneOfThese,
  optional,
  type Shape,
  seconds,
  timestamp,
} from "../shape.js";

const text = checked(anyText);
const name = checked(filledText);
const flag = checked(boolean);
const id = (prefix: string) => checked(idOf(prefix));
const address = (...rules: Rule[]) => checked(all(...rules));

const block: Shape = (value, path, found) => {
  const type = (value as { type?: unknown } | null)?.type;
  const shapes: Record<string, Shape> = {
    heading: object({ type: text, level: integer, text }),
    paragraph: object({ type: text, text }),
    list: object({ type: text, items: list(text) }),
  };
  const shape = typeof type === "string" && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (shape === undefined) found(`${path}.type`, `expected ${Object.keys(shapes).join(", ")}`);
  else shape(value, path, found);
};

const document = object({
  id: optional(id("doc_")),
  title: text,
  created_at: optional(timestamp),
  blocks: list(block),
});

const permission: Shape = (value, path, found) => {
  const fields = { id: optional(name), recipient: object({ type: name }, "open"), role: name };
  object(fields)(value, path, found);
  const { recipient, role } = value as { recipient?: { type?: unknown }; role?: unknown };
  if (recipient?.type === RECIPIENT_ANYONE && role !== ROLE_READ) {
    found(`${path}.role`, `public access is read-only, expected "${ROLE_READ}"`);
  }
};

const transcript: Shape = (value, path, found) => {
  const speaker = object({ id: id("spk_"), name: text });
  const segment = object({ speaker_id: id("spk_"), start_time: seconds, end_time: seconds, text });
  let mistakes = 0;
  object({ language: optional(name), speakers: list(speaker), segments: list(segment) })(value, path, (where, what) => {
    mistakes += 1;
    found(where, what);
  });
  if (mistakes > 0) return;
  const { speakers, segments } = value as { speakers: { id: string }[]; segments: Segment[] };
  const known = new Set<string>();
  speakers.forEach((one, index) => {
    if (known.has(one.id)) found(`${path}.speakers[${index}].id`, `${one.id} is there twice`);
    known.add(one.id);
  });
  segments.forEach((one, index) => {
    const place = `${path}.segments[${index}]`;
    if (!known.has(one.speaker_id)) found(`${place}.speaker_id`, `${one.speaker_id} is no speaker of this transcript`);
    if (one.end_time < one.start_time) found(`${place}.end_time`, "is before start_time");
    const before = segments[index - 1];
    if (before !== undefined && one.start_time < before.start_time) {
      found(`${place}.start_time`, "is before that of the segment before: segments are in order of time");
    }
  });
};

interface Segment {
  speaker_id: string;
  start_time: number;
  end_time: number;
}

/** An id, or the thing itself. */
const idOrSelf =
  (prefix: string, shape: Shape): Shape =>
  (value, path, found) =>
    (typeof value === "string" ? id(prefix) : shape)(value, path, found);

const meeting = object({
  id: optional(id("mtg_")),
  title: optional(nullable(text)),
  status: optional(oneOfThese(MEETING_STATUSES)),
  source: optional(name),
  start_time: optional(timestamp),
  end_time: optional(nullable(timestamp)),
  duration: optional(nullable(integer)),
  created_at: optional(timestamp),
  owned: optional(flag),
  host: optional(nullable(object({ id: name, name: text, email: text }))),
  participants: optional(
    list(
      object({
        name: optional(nullable(text)),
        email: optional(nullable(text)),
        title: optional(nullable(text)),
        company: optional(nullable(text)),
      }),
    ),
  ),
  documents: optional(list(idOrSelf("doc_", document))),
  transcript: optional(nullable(transcript)),
  recording: optional(flag),
  permissions: optional(list(permission)),
  share_url: optional(name),
});

const seedShape = object({
  random: optional(integer),
  account: optional(
    object({
      user: optional(object({ id: optional(name), name: optional(text), email: optional(text) })),
      automation: optional(oneOfThese(AUTOMATION_MODES)),
      calendarConnected: optional(flag),
      usageLimitReached: optional(flag),
    }),
  ),
  rooms: optional(
    list(
      object({
        id: optional(id("room_")),
        title: text,
        created_at: optional(timestamp),
        updated_at: optional(timestamp),
        owned: optional(flag),
        share_url: optional(nullable(name)),
        meetings: optional(list(idOrSelf("mtg_", meeting))),
      }),
    ),
  ),
  meetings: optional(list(meeting)),
  documents: optional(list(document)),
  events: optional(
    list(
      object({
        id: optional(id("evt_")),
        title: text,
        start_time: timestamp,
        end_time: optional(timestamp),
        meeting_url: address(atMost(MEETING_URL_MAX), conferenceLink),
        organized: optional(flag),
        bot: optional(flag),
      }),
    ),
  ),
  webhooks: optional(
    list(
      object({
        id: optional(id("whk_")),
        url: address(atMost(WEBHOOK_URL_MAX), deliveryUrl),
        events: optional(list(oneOfThese(EVENT_KINDS), 1)),
        enabled: optional(flag),
        secret: optional(name),
        created_at: optional(timestamp),
        updated_at: optional(timestamp),
      }),
    ),
  ),
});

/** Every place of the seed that breaks the interface; none when it may be planted. */
export function seedMistakes(seed: unknown): Mistake[] {
  const mistakes: Mistake[] = [];
  seedShape(seed, "", (path, message) => mistakes.push({ path, message }));
  // Ids and references are looked at only in a seed whose shape is right.
  return mistakes.length > 0 ? mistakes : referenceMistakes(seed as SeedOfIds);
}

interface Identified {
  id?: string;
}
type MeetingOfIds = Identified & { documents?: (string | Identified)[]; permissions?: Identified[] };
interface SeedOfIds {
  rooms?: (Identified & { meetings?: (string | MeetingOfIds)[] })[];
  meetings?: MeetingOfIds[];
  documents?: Identified[];
  events?: Identified[];
  webhooks?: Identified[];
}

function referenceMistakes(seed: SeedOfIds): Mistake[] {
  const mistakes: Mistake[] = [];
  const known = new Map<string, string>();
  const references: { id: string; path: string; what: string }[] = [];

  const define = ({ id }: Identified, path: string) => {
    if (id === undefined) return;
    const first = known.get(id);
    if (first === undefined) known.set(id, path);
    else mistakes.push({ path: `${path}.id`, message: `${id} is the id of ${first} already` });
  };
  const eachOf = <T>(items: readonly T[] | undefined, path: string, visit: (item: T, path: string) => void) => {
    for (const [index, item] of items?.entries() ?? []) visit(item, `${path}[${index}]`);
  };
  const referOr =
    <T>(what: string, visit: (item: T, path: string) => void) =>
    (item: string | T, path: string) => {
      if (typeof item === "string") references.push({ id: item, path, what });
      else visit(item, path);
    };
  const visitMeeting = (one: MeetingOfIds, path: string) => {
    define(one, path);
    eachOf(one.documents, `${path}.documents`, referOr("document", define));
    eachOf(one.permissions, `${path}.permissions`, define);
  };

  eachOf(seed.documents, "documents", define);
  eachOf(seed.meetings, "meetings", visitMeeting);
  eachOf(seed.rooms, "rooms", (room, path) => {
    define(room, path);
    eachOf(room.meetings, `${path}.meetings`, referOr("meeting", visitMeeting));
  });
  eachOf(seed.events, "events", define);
  eachOf(seed.webhooks, "webhooks", define);

  for (const { id, path, what } of references) {
    if (!known.has(id)) mistakes.push({ path, message: `${id} is no ${what} of this seed` });
  }
  return mistakes;
}
