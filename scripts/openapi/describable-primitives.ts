/**
 * Replacements for the functions of `src/schemas/primitives.ts`, `response-array.ts` and `id-schemas.ts`. Each returns a
 * schema that JSON Schema can express: a pattern for an id, the values of a closed enumeration, the items of a list.
 * load-schemas.ts builds the schemas of the service with them, and zod converts the result to JSON Schema.
 */
import * as z from "zod/mini";
import { ID_PREFIXES, IDS_MAX, type IdKind } from "../../src/schemas/ids.js";
import type * as plain from "../../src/schemas/primitives.js";

/**
 * A function with the parameters of a library function `F`. Its schema describes the same values, and is never used to
 * check one.
 */
type Like<F extends (...args: never[]) => unknown> = (...args: Parameters<F>) => z.ZodMiniType;

/** Keywords of JSON Schema that zod cannot express. The override in service-schemas.ts adds them. */
export const extras = z.registry<Record<string, unknown>>();
const withExtras = (schema: z.ZodMiniType, extra: Record<string, unknown>) => schema.register(extras, extra);

// What is not replaced here.
export * from "../../src/schemas/primitives.js";
export * from "../../src/schemas/response-array.js";

export const responseObject = (shape: Record<string, z.ZodMiniType>) => z.looseObject(shape);
export const requestObject = (shape: Record<string, z.ZodMiniType>) => z.strictObject(shape);
export const optionsSchema = () => requestObject;
export const nullish = (schema: z.ZodMiniType) => z.optional(z.nullable(schema));
export const custom: Like<typeof plain.custom> = () => z.unknown();
export const enumOf: Like<typeof plain.enumOf> = (values) => z.enum(values as [string, ...string[]]);
export const openEnum = () => z.string();
export const characters = (max: number) => z.maxLength(max);
export const maxLength: Like<typeof plain.maxLength> = (max) => z.string().check(z.maxLength(max));
export const nonEmptyString: Like<typeof plain.nonEmptyString> = () => z.string().check(z.minLength(1));
export const stringOf: Like<typeof plain.stringOf> = () => z.string();
export const readonlyArray = (item: z.ZodMiniType) => z.array(item);
export const nonEmptyArray = (item: z.ZodMiniType, _items: string, max?: number) =>
  max === undefined ? z.array(item).check(z.minLength(1)) : z.array(item).check(z.minLength(1), z.maxLength(max));
export const integer: Like<typeof plain.integer> = () => withExtras(z.number(), { type: "integer" });
export const numberOf: Like<typeof plain.numberOf> = () => z.number();
export const timestamp: Like<typeof plain.timestamp> = () => withExtras(z.string(), { format: "date-time" });
export const date: Like<typeof plain.date> = () => withExtras(z.string(), { format: "date" });
export const functionSchema = z.unknown();

// Replaces src/schemas/response-array.ts.
export const responseArray = (item: z.ZodMiniType) => z.array(item);
export const responseArrayOrEmpty = responseArray;

// Replaces src/schemas/id-schemas.ts.
export * from "../../src/schemas/id-schemas.js";

const idOf = (kind: IdKind) => z.string().check(z.regex(new RegExp(`^${ID_PREFIXES[kind]}`)));
export const meetingId = idOf("meetingId");
export const roomId = idOf("roomId");
export const documentId = idOf("documentId");
export const speakerId = idOf("speakerId");
export const webhookId = idOf("webhookId");
export const eventId = idOf("eventId");
/** An id in a request. The part after the prefix is not empty, and has no character that would change the path. */
export const idParam = (kind: IdKind) => z.string().check(z.regex(new RegExp(`^${ID_PREFIXES[kind]}[^\\s/\\\\?#%]+$`)));
export const idListParam = (kind: IdKind) => z.optional(nonEmptyArray(idParam(kind), "ids", IDS_MAX));
