/** What the emulator derives from the fields of the service's records, so that a new field needs no other line. */
import * as z from "zod/mini";

type NullableKeys<Fields> = {
  [K in keyof Fields]: Fields[K] extends z.ZodMiniOptional ? K : never;
}[keyof Fields];

const isOptional = (schema: unknown) => schema instanceof z.ZodMiniOptional;

/** `null` for each field that the service may leave out. */
export const emptyRecord = <Fields extends object>(fields: Fields): { [K in NullableKeys<Fields>]: null } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, schema]) => (isOptional(schema) ? [[name, null]] : [])),
  ) as { [K in NullableKeys<Fields>]: null };

type AllOptional<Fields> = {
  [K in keyof Fields]: Fields[K] extends z.ZodMiniOptional ? Fields[K] : z.ZodMiniOptional<Fields[K] & z.ZodMiniType>;
};

/** The same fields, of which each may be left out. */
export const optionalOf = <Fields extends object>(fields: Fields): AllOptional<Fields> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, isOptional(schema) ? schema : z.optional(schema)]),
  ) as AllOptional<Fields>;
