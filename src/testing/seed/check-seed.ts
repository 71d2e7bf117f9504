/** Finds the mistakes in a seed and their paths. A seed may come from a file, which no compiler checks. */
import { RECIPIENT_ANYONE, ROLE_READ } from "../../schemas/permission.js";
import { mistakesIn } from "../check-value.js";
import type { Mistake } from "../emulator-error.js";
import { type MeetingSeed, type PermissionSeed, type Seed, seedSchema, type TranscriptSeed } from "./seed.js";

/** Every mistake in the seed. References between its parts are checked only if each part is valid. */
export function seedMistakes(seed: unknown): Mistake[] {
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
  readonly #mistakes: Mistake[] = [];
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

  mistakes(): Mistake[] {
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

const permissionMistakes = ({ recipient, role }: PermissionSeed, path: string): Mistake[] =>
  recipient.type === RECIPIENT_ANYONE && role !== ROLE_READ
    ? [{ path: `${path}.role`, message: `public access is read-only: expected "${ROLE_READ}", received "${role}"` }]
    : [];

function transcriptMistakes({ speakers, segments }: TranscriptSeed, path: string): Mistake[] {
  const mistakes: Mistake[] = [];
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
