/**
 * Compares responses with the schemas, field by field. It remembers the paths of fields and the kinds of values, no
 * content.
 */
import * as z from "zod/mini";
import { isRecord } from "../json/is-record.js";
import { documentReferenceSchema } from "../schemas/document.js";
import { type Meeting, meetingSummarySchema, participantSchema } from "../schemas/meeting.js";
import type { Room } from "../schemas/room.js";
import type { ReadEndpoint } from "./lists.js";
import type { Drift, ReceivedField } from "./report.js";

/** The names of the fields of `T` that hold a list of objects. */
type ListsIn<T> = { [F in keyof T]-?: NonNullable<T[F]> extends readonly object[] ? F : never }[keyof T];

/** The schemas of the items of lists in items, by the name of the list's field. */
const ITEMS: Readonly<Record<string, z.core.$ZodType | undefined>> = {
  meetings: meetingSummarySchema,
  documents: documentReferenceSchema,
  participants: participantSchema,
} satisfies Record<ListsIn<Room> | ListsIn<Meeting>, z.core.$ZodType>;

/** Only field names of this form are shown: an object may have e-mail addresses or people's names as keys. */
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]{0,49}$/;

function jsonTypeOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** The fields in the schema of an object; `undefined` for any other schema. */
function fieldsOf(schema: z.core.$ZodType): Shape | undefined {
  const { innerType, shape } = schema._zod.def as { innerType?: z.core.$ZodType; shape?: Shape };
  return innerType === undefined ? shape : fieldsOf(innerType);
}

/** The expectation in the schema's error message, without the received value. */
function expectationOf(schema: z.core.$ZodType, value: unknown): string | undefined {
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (issue === undefined) return undefined;
  if (issue.code === "invalid_type") return issue.expected;
  return /^expected (.*?)(?:, received .*)?$/s.exec(issue.message)?.[1] ?? "another value";
}

const join = (path: string, name: string) => (path === "" ? name : `${path}.${name}`);

/** The entry with this key, counted once more. */
function countIn<T extends { count: number }>(entries: Map<string, T>, key: string, entry: T): T {
  const counted = entries.get(key) ?? entry;
  counted.count += 1;
  entries.set(key, counted);
  return counted;
}

export class DriftLog {
  readonly #drift = new Map<string, Drift>();
  readonly #fields = new Map<string, ReceivedField>();

  get drift(): Drift[] {
    return [...this.#drift.values()];
  }

  get fields(): ReceivedField[] {
    return [...this.#fields.values()];
  }

  /** Compares one response. */
  read(endpoint: ReadEndpoint, body: unknown): void {
    const { page, response } = endpoint;
    this.#compare(endpoint, "", page === undefined ? response : page(response), body);
  }

  #compare(endpoint: ReadEndpoint, path: string, schema: z.core.$ZodType, value: unknown): void {
    const operation = endpoint.name;
    const shape = fieldsOf(schema);
    if (!isRecord(value) || shape === undefined) {
      const expected = expectationOf(schema, value);
      if (expected === undefined) return;
      const received = jsonTypeOf(value);
      const key = [operation, path, expected, received].join("\n");
      countIn(this.#drift, key, { operation, path, expected, received, count: 0 });
      return;
    }
    for (const [name, field] of Object.entries(shape)) {
      const item = name === "data" ? endpoint.response : ITEMS[name];
      const list = value[name];
      const place = join(path, name);
      if (item === undefined || !Array.isArray(list)) this.#compare(endpoint, place, field, list);
      else for (const row of list) this.#compare(endpoint, `${place}[]`, item, row);
    }
    this.#addFields(operation, path, shape, value);
  }

  #addFields(operation: string, path: string, shape: object, value: Record<string, unknown>): void {
    for (const [name, field] of Object.entries(value)) {
      const known = Object.hasOwn(shape, name);
      const place = join(path, known || FIELD_NAME.test(name) ? name : "(another name)");
      const entry: ReceivedField = { operation, path: place, kinds: [], known, count: 0 };
      const { kinds } = countIn(this.#fields, `${operation}\n${place}`, entry);
      if (!kinds.includes(jsonTypeOf(field))) kinds.push(jsonTypeOf(field));
    }
  }
}
