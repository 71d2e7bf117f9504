/**
 * Compares responses with the schemas, field by field. It remembers the paths of fields and the kinds of values, no
 * content.
 */
import * as z from "zod/mini";
import { isRecord } from "../json/is-record.js";
import { documentReferenceSchema, documentSchema } from "../schemas/document.js";
import { meetingSchema, meetingSummarySchema, participantSchema } from "../schemas/meeting.js";
import { permissionSchema } from "../schemas/permission.js";
import { roomSchema } from "../schemas/room.js";
import type { Drift, ReceivedField } from "./report.js";

/** The operations whose responses the doctor reads. */
export type ReadOperation = "rooms.list" | "meetings.list" | "permissions.list" | "documents.get";

/** The schemas of the items of lists, by the name of the list's field. `data` is the list of a page. */
const ITEMS: Readonly<Record<string, z.ZodMiniType>> = {
  meetings: meetingSummarySchema,
  documents: documentReferenceSchema,
  participants: participantSchema,
};

const pageFields = {
  next_cursor: z.optional(z.nullable(z.string())),
  has_more: z.boolean(),
  data: z.array(z.unknown()),
};
const pageSchema = z.looseObject(pageFields);

const OPERATIONS: Readonly<Record<ReadOperation, { readonly body: z.ZodMiniType; readonly item?: z.ZodMiniType }>> = {
  "rooms.list": { body: pageSchema, item: roomSchema },
  "meetings.list": { body: pageSchema, item: meetingSchema },
  "permissions.list": { body: z.looseObject({ ...pageFields, share_url: z.string() }), item: permissionSchema },
  "documents.get": { body: documentSchema },
};

/** Only field names of this form are shown: an object may have e-mail addresses or people's names as keys. */
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]{0,49}$/;

/** Responses are compared up to this depth. The API specification defines no deeper field. */
const MAX_DEPTH = 8;

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** The response that is being compared. */
interface Comparison {
  readonly operation: ReadOperation;
  readonly items: Readonly<Record<string, z.ZodMiniType | undefined>>;
}

interface Definition {
  readonly innerType?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
}

/** The fields in the schema of an object; `undefined` for any other schema. */
function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, z.ZodMiniType>> | undefined {
  let definition = schema._zod.def as Definition;
  while (definition.innerType !== undefined) definition = definition.innerType._zod.def as Definition;
  return definition.shape;
}

/** The expectation in the schema's error message, without the received value. */
function expectationOf(schema: z.ZodMiniType, value: unknown): string | undefined {
  const issue = z.safeParse(schema, value).error?.issues[0];
  if (issue === undefined) return undefined;
  if (issue.code === "invalid_type") return issue.expected;
  return /^expected (.*?)(?:, received .*)?$/s.exec(issue.message)?.[1] ?? "another value";
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
  read(operation: ReadOperation, body: unknown): void {
    this.#compare(
      { operation, items: { ...ITEMS, data: OPERATIONS[operation].item } },
      "",
      OPERATIONS[operation].body,
      body,
      0,
    );
  }

  #compare(context: Comparison, path: string, schema: z.ZodMiniType, value: unknown, depth: number): void {
    const shape = shapeOf(schema);
    if (isRecord(value) && shape !== undefined && depth < MAX_DEPTH) {
      this.#compareObject(context, path, shape, value, depth);
      return;
    }
    const { operation } = context;
    const expected = expectationOf(schema, value);
    if (expected !== undefined) this.#addDrift({ operation, path, expected, received: kindOf(value), count: 1 });
  }

  #compareObject(
    context: Comparison,
    path: string,
    shape: Readonly<Record<string, z.ZodMiniType>>,
    value: Record<string, unknown>,
    depth: number,
  ): void {
    const placeOf = (name: string) => (path === "" ? name : `${path}.${name}`);
    for (const [name, schema] of Object.entries(shape)) {
      const [item, list] = [context.items[name], value[name]];
      if (item === undefined || !Array.isArray(list)) this.#compare(context, placeOf(name), schema, list, depth + 1);
      else for (const row of list) this.#compare(context, `${placeOf(name)}[]`, item, row, depth + 1);
    }
    for (const [name, field] of Object.entries(value)) {
      const known = Object.hasOwn(shape, name);
      const shown = known || FIELD_NAME.test(name) ? name : "(another name)";
      this.#addField({ operation: context.operation, path: placeOf(shown), kinds: [kindOf(field)], known, count: 1 });
    }
  }

  #addDrift(drift: Drift): void {
    const key = [drift.operation, drift.path, drift.expected, drift.received].join("\n");
    const known = this.#drift.get(key);
    if (known === undefined) this.#drift.set(key, drift);
    else known.count += 1;
  }

  #addField(field: ReceivedField): void {
    const key = [field.operation, field.path].join("\n");
    const known = this.#fields.get(key);
    if (known === undefined) {
      this.#fields.set(key, field);
      return;
    }
    known.count += 1;
    for (const kind of field.kinds) if (!known.kinds.includes(kind)) known.kinds.push(kind);
  }
}
