/**
 * Replaces everything private in a captured seed, by the kind of each value: ids, dates, URLs, other texts, and
 * numbers that are no measure. Equal texts have equal replacements, so that ids and names still belong together.
 */

import type * as z from "zod/mini";
import { DAY_MS } from "../../async/timers.js";
import { isRecord } from "../../json/is-record.js";
import { ID_PREFIXES } from "../../schemas/ids.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import { seedSchema } from "../seed/check-seed.js";
import type { Seed } from "../seed/seed.js";
import { PERMISSION_PREFIX } from "../state/random.js";
import { WIRE_FIELDS } from "../state/to-wire.js";
import { MadeUp } from "./made-up.js";
import { isDate, type Json } from "./seed-parts.js";

/** The values that are kept in a field with the rule, because they tell nothing of a person. */
const KEEPS = {
  text: (value: unknown) => typeof value === "string",
  number: (value: unknown) => typeof value === "number",
  "block type": (value: unknown) => /^(heading|paragraph|list|table)$/.test(String(value)),
};

/**
 * How the fields of a record are treated; a table has the fields of the records in the field. Any other value, also in
 * a field without a rule, is replaced.
 */
interface Fields {
  readonly [name: string]: keyof typeof KEEPS | Fields;
}

/** The fields of a received record, both those that a seed accepts and those in `extra`. */
const received = (fields: Fields = {}): Fields => ({ ...fields, extra: fields, absent: "text" });

const MEETING: Fields = { status: "text", source: "text", duration: "number" };

const SEED: Fields = {
  account: { automation: "text" },
  rooms: received({ meeting_count: "number" }),
  meetings: {
    ...received(MEETING),
    summary: received(MEETING),
    transcript: received({ language: "text", segments: { start_time: "number", end_time: "number" } }),
    permissions: received({ role: "text", recipient: { type: "text" } }),
  },
  documents: {
    ...received({ format: "text" }),
    blocks: { type: "text", level: "number", json: { type: "block type", level: "number" } },
    reference: received({ format: "text" }),
  },
  webhooks: received({ events: "text" }),
  events: received(),
};

/** The names of all fields in the schema of an object, a list, or a choice of objects. */
function fieldNames(schema: z.core.$ZodType): string[] {
  const {
    shape = {},
    innerType,
    element,
    options = [],
  } = schema._zod.def as {
    shape?: Record<string, z.core.$ZodType>;
    innerType?: z.core.$ZodType;
    element?: z.core.$ZodType;
    options?: z.core.$ZodType[];
  };
  const parts = [...Object.values(shape), innerType, element, ...options];
  return [...Object.keys(shape), ...parts.flatMap((part) => (part === undefined ? [] : fieldNames(part)))];
}

/** The names of the fields that the service or a seed has. They are kept everywhere. */
const SCHEMA_NAMES: ReadonlySet<string> = new Set([...Object.values(WIRE_FIELDS).flat(), ...fieldNames(seedSchema)]);

const PREFIXES = [...Object.values(ID_PREFIXES), PERMISSION_PREFIX, "usr_"].filter((prefix) => prefix !== "");
const ID = new RegExp(`^(${PREFIXES.join("|")})`);
const DATE = /^\d{4}-\d\d-\d\d$/;

/** The newest date of every capture. An emulator without `now` starts later. */
const NEWEST_DATE = Date.UTC(2025, 4, 30, 17);

export const anonymise = (seed: Seed): Seed => new Anonymiser(textsIn(seed)).record({ ...seed }, SEED) as Seed;

/** Every text in a value, with the names of fields. */
function textsIn(value: unknown, texts = new Set<string>()): Set<string> {
  if (typeof value === "string") texts.add(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, texts);
  else if (isRecord(value)) {
    for (const [name, field] of Object.entries(value)) textsIn(field, texts.add(name));
  }
  return texts;
}

class Anonymiser {
  readonly #madeUp: MadeUp;
  readonly #replacements = new Map<string, string>();
  readonly #fieldNames = new Map<string, string>();
  /** By how many milliseconds all dates are moved. */
  readonly #moveMs: number;

  constructor(texts: ReadonlySet<string>) {
    this.#madeUp = new MadeUp(texts);
    const times = [...texts].filter(isDate).map(parseTimestamp);
    this.#moveMs = NEWEST_DATE - times.reduce((newest, time) => Math.max(newest, time), Number.NEGATIVE_INFINITY);
  }

  record(record: Json, fields: Fields = {}): Json {
    const isKnown = (name: string) => Object.hasOwn(fields, name);
    return Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        isKnown(name) || SCHEMA_NAMES.has(name) ? name : this.#fieldName(name),
        this.#field(name, value, isKnown(name) ? fields[name] : undefined),
      ]),
    );
  }

  #field(name: string, value: unknown, rule: Fields[string] | undefined): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#field(name, item, rule));
    if (isRecord(value)) return this.record(value, typeof rule === "object" ? rule : {});
    if (typeof rule === "string" && KEEPS[rule](value)) return value;
    if (typeof value === "number") return this.#madeUp.number(value);
    if (typeof value !== "string") return value;
    return /^(id|.+_id)$/.test(name) && !isDate(value) ? this.#id(value) : this.#text(value);
  }

  #text(text: string): string {
    if (text === "") return text;
    if (isDate(text)) return this.#moved(text);
    if (ID.test(text)) return this.#id(text);
    return this.#replacement(text, () => (/^https?:/i.test(text) ? this.#madeUp.url(text) : this.#madeUp.words(text)));
  }

  #id(id: string): string {
    return this.#replacement(id, () => this.#madeUp.id(ID.exec(id)?.[0] ?? ""));
  }

  #replacement(original: string, make: () => string, known = this.#replacements): string {
    const replacement = known.get(original) ?? make();
    known.set(original, replacement);
    return replacement;
  }

  #fieldName(name: string): string {
    return this.#replacement(name, () => this.#madeUp.fieldName(name), this.#fieldNames);
  }

  /** The moved date, in the same form: a date stays a date. */
  #moved(text: string): string {
    if (DATE.test(text)) {
      const days = Math.round(this.#moveMs / DAY_MS);
      return new Date(Date.parse(text) + days * DAY_MS).toISOString().slice(0, 10);
    }
    const moved = new Date(parseTimestamp(text) + this.#moveMs);
    const hasFraction = text.includes(".") || moved.getUTCMilliseconds() !== 0;
    return hasFraction ? moved.toISOString() : moved.toISOString().replace(".000Z", "Z");
  }
}
