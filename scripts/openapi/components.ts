/**
 * The schemas of the document: JSON Schema from zod, with descriptions from the doc comments. Known values and sources
 * come from the transcription of the API specification, which the schemas of the client are tested against.
 */
import { type Field, RESOURCES, ENDPOINTS as ROWS, type Endpoint as Row } from "../../test/interface/interface.js";
import { fieldsOf } from "../../test/interface/sample.js";
import type { Documented } from "./doc-comments.js";
import { memberComment } from "./doc-comments.js";
import type { Json, ServiceSchemas } from "./service-schemas.js";
import { COMMENTS, httpText, routeOf } from "./texts.js";

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The source that a comment names: "Documented." or "(guessed)". */
export const sourceIn = (text: string | undefined) =>
  /\b(documented|observed|guessed)\b/i.exec(text ?? "")?.[1]?.toLowerCase();

/** The row of the transcription for an endpoint of the client. */
export function rowOf(endpoint: Parameters<typeof routeOf>[0]): Row {
  const row = ROWS.find((one) => routeOf(one) === routeOf(endpoint));
  if (row === undefined) throw new Error(`test/interface/interface.ts has no row for ${routeOf(endpoint)}`);
  return row;
}

/** An absolute `https:` URL, or an `http:` URL of a loopback host, as the emulator and the client accept it. */
const WEBHOOK_URL = String.raw`^(https://[^/\s\\]|http://([^/\s\\]+\.)?(localhost|127(\.\d+){3}|\[::1\])(:\d+)?([/?#]|$))[^\s\\]*$`;

/** What zod cannot tell, by the path of the field. */
const CORRECTIONS: Readonly<Record<string, Json>> = {
  "ValidationIssue.loc": { items: { type: ["string", "integer"] } },
  "ValidationIssue.ctx": { anyOf: [{ type: "object", additionalProperties: true }, { type: "null" }] },
};

/** Objects with unknown further fields. */
const OPEN_OBJECTS = ["Recipient", "UpcomingMeeting"];

/** What the transcription knows of a field, in the words of JSON Schema. */
function facts({ type, source }: Field, property: Json): Json {
  const values = type.kind === "array" ? type.of : type;
  // The client accepts unknown values of every enumeration that it receives.
  const isOpen = values.kind === "enum" && (values.open || (property.type === "string" && property.enum === undefined));
  const known = isOpen ? { "x-extensible-enum": values.values } : undefined;
  return {
    ...(type.kind === "array" ? known && { items: { ...(property.items as Json), ...known } } : known),
    ...(type.kind === "conference link" && { format: "uri" }),
    ...(type.kind === "url" && { format: "uri", pattern: WEBHOOK_URL }),
    ...(source === "specified" ? {} : { "x-source": source }),
  };
}

/** Where `null` comes from, unless the API specification itself shows it. */
function withNull(property: Json, { source, nullable }: Field, comment: string | undefined): Json {
  const types = property.anyOf ?? property.type;
  const isNull = (type: unknown) => type === "null" || (type as Json | undefined)?.type === "null";
  if (!Array.isArray(types) || !types.some(isNull)) return property;
  const guessed = nullable === true ? undefined : "guessed";
  const said = comment?.includes("`null`") ? sourceIn(comment) : undefined;
  const ofNull = said ?? (source === "specified" ? guessed : source);
  if (ofNull === undefined) return property;
  const others = types.filter((type) => !isNull(type));
  const rest = property.anyOf === undefined ? [{ ...property, type: others[0] }] : others;
  return { anyOf: [...rest, { type: "null", "x-source": ofNull }] };
}

/** A field of the component `name`. */
function described(field: string, property: Json, row: Field | undefined, name: string, comment?: string): Json {
  const corrected = { ...property, ...CORRECTIONS[`${name}.${field}`] };
  const inner = corrected.properties as Record<string, Json> | undefined;
  const innerRows = row?.type.kind === "object" ? fieldsOf(row.type.of) : [];
  const nested = Object.entries(inner ?? {}).map(([key, value]) => {
    const innerRow = innerRows.find((one) => one.name === key);
    return [key, described(key, value, innerRow, `${name}.${field}`)];
  });
  return {
    ...(row === undefined ? corrected : withNull(corrected, row, comment)),
    ...(inner && { properties: Object.fromEntries(nested) }),
    ...(row && facts(row, corrected)),
    ...(comment === undefined ? {} : { description: httpText(comment) }),
  };
}

interface Rows {
  fields: readonly Field[];
  atLeastOne?: boolean | undefined;
}

/** The fields of a component in the transcription: of a resource, or of a request body. */
function rowsOf(name: string, bodies: ReadonlyMap<string, Row>): Rows {
  const body = bodies.get(name)?.body;
  if (body?.kind === "json") return body;
  return { fields: (RESOURCES as Readonly<Record<string, readonly Field[]>>)[name] ?? [] };
}

function component(name: string, schema: Json, { fields, atLeastOne }: Rows): Json {
  const { $schema: _, $id: __, ...rest } = schema;
  const isPage = name.endsWith("Page");
  const type = isPage ? "PageEnvelope" : name;
  const comments = COMMENTS as Map<string, Documented>;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([field, property]) => {
    const comment = memberComment(comments, type, field) ?? memberComment(comments, `${name}Fields`, field);
    const row = fields.find((one) => one.name === field);
    return [field, described(field, property, row, name, comment?.text)];
  });
  const comment = comments.get(type)?.text;
  return {
    ...(comment === undefined ? {} : { description: httpText(comment) }),
    ...rest,
    properties: Object.fromEntries(properties),
    // API specification, "Page envelope": all three fields, although the client accepts pages without `next_cursor`.
    ...(isPage ? { required: [...(schema.required as string[]), "next_cursor"].sort() } : {}),
    ...(OPEN_OBJECTS.includes(name) ? { additionalProperties: true } : {}),
    // The API specification does not say what the service does with an unknown field of a request.
    ...(schema.additionalProperties === false ? { "x-unknown-fields": { "x-source": "guessed" } } : {}),
    ...(atLeastOne ? { minProperties: 1 } : {}),
  };
}

const referred = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = ""]) => name);

/** The schemas of bodies that the endpoints use, directly or indirectly, by name. `bodies` are those of requests. */
export function componentSchemas(
  { schemas, endpoints }: ServiceSchemas,
  bodies: ReadonlyMap<string, Row>,
): Record<string, Json> {
  const answers = Object.values(endpoints).flatMap(({ body, answer }) => [body ?? [], answer?.name ?? []].flat());
  const used = new Set(["ErrorEnvelope", "ValidationEnvelope", ...answers]);
  // The set grows while it is read.
  for (const name of used) for (const other of referred({ ...schemas[name], $id: "" })) used.add(other);
  return Object.fromEntries(
    [...used].sort().map((name) => [name, component(name, schemas[name] ?? {}, rowsOf(name, bodies))]),
  );
}
