/** Sample values for the transcription's types, and the field names of a schema. */
import type * as z from "zod/mini";
import {
  CONFERENCE_LINKS,
  type Endpoint,
  type Field,
  type FieldType,
  RESOURCES,
  type ResourceName,
} from "./interface.js";

type Shape = Readonly<Record<string, z.core.$ZodType>>;
export const shapeOf = (schema: z.core.$ZodType) =>
  (schema as unknown as { _zod: { def: { shape: Shape } } })._zod.def.shape;

export const fieldsOf = (of: ResourceName | readonly Field[]) => (typeof of === "string" ? RESOURCES[of] : of);

/** A sample value of a type, as in a response of the service. */
export function sampleOf(type: FieldType): unknown {
  switch (type.kind) {
    case "string":
    case "text":
      return "text";
    case "id":
      return `${type.prefix}1a`;
    case "enum":
      return type.values[0];
    case "timestamp":
      return "2026-03-01T10:00:00.5+02:00";
    case "date":
      return "2026-03-01";
    case "url":
      return "https://hooks.example.com/in";
    case "conference link":
      return CONFERENCE_LINKS.accepted[0];
    case "integer":
      return type.min ?? 7;
    case "number":
      return 1.5;
    case "boolean":
      return false;
    case "any":
      return { any: ["thing"] };
    case "object":
      return objectOf(fieldsOf(type.of));
    case "array":
      return [sampleOf(type.of)];
  }
}

/** An object with all of its fields. */
export const objectOf = (fields: readonly Field[], but: Readonly<Record<string, unknown>> = {}) => ({
  ...Object.fromEntries(fields.map(({ name, type }) => [name, sampleOf(type)])),
  ...but,
});

export type Params = Readonly<Record<string, unknown>>;

export const idsOf = ({ pathParameters }: Endpoint) => pathParameters.map(({ type }) => String(sampleOf(type)));

export const pathOf = (endpoint: Endpoint) => {
  const ids = idsOf(endpoint);
  return endpoint.path.replace(/\{\w+\}/g, () => ids.shift()!);
};

export const fieldsSent = ({ body }: Endpoint) => (body.kind === "json" ? body.fields : []);

/** Valid arguments, with one of them replaced. */
export const paramsOf = (endpoint: Endpoint, but: Params = {}): Params => {
  const atLeastOne = endpoint.body.kind === "json" && endpoint.body.atLeastOne === true;
  const sent = fieldsSent(endpoint).filter(({ required }) => required || atLeastOne);
  return { ...Object.fromEntries(sent.map(({ name, type }) => [name, sampleOf(type)])), ...but };
};
