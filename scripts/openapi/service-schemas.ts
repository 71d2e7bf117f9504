/** Converts the schemas of the endpoints to JSON Schema, and tells the names of each endpoint's schemas. */
import * as z from "zod/mini";
import type { Endpoint } from "../../src/endpoints/endpoint.js";
import { ENDPOINTS } from "../../src/endpoints/endpoints.js";
import { ID_PREFIXES, type IdKind } from "../../src/schemas/ids.js";
import { extras, idParam } from "./describable-primitives.js";

export type Json = Record<string, unknown>;
type Modules = readonly Readonly<Record<string, unknown>>[];

/** The names of an endpoint's schemas in the document. */
export interface EndpointSchemas {
  query?: string;
  body?: string;
  answer?: { name: string; isArray: boolean };
}

export interface ServiceSchemas {
  /** Every schema that an endpoint uses, as JSON Schema, by name. Ids in paths have the name of their kind. */
  schemas: Record<string, Json>;
  /** By the name of the endpoint. */
  endpoints: Record<string, EndpointSchemas>;
}

/** Types whose name is not that of their schema. */
const TYPE_NAMES: Readonly<Record<string, string>> = { NotetakerAutomationParams: "AutomationParams" };

const isObjectSchema = (value: unknown): value is z.ZodMiniObject => value instanceof z.ZodMiniObject;

/** The schemas of objects that the modules export, by name: `roomSchema` is `Room`. */
function namedSchemas(modules: Modules): Map<z.core.$ZodType, string> {
  const exported = modules.flatMap((module) => Object.entries(module));
  const named = exported.flatMap(([constant, schema]) => {
    const name = constant.charAt(0).toUpperCase() + constant.slice(1, -"Schema".length);
    return constant.endsWith("Schema") && isObjectSchema(schema) ? [[schema, TYPE_NAMES[name] ?? name] as const] : [];
  });
  return new Map(named);
}

export function serviceSchemas(modules: Modules): ServiceSchemas {
  const names = namedSchemas(modules);
  const nameOf = (schema: z.core.$ZodType) => {
    const name = names.get(schema);
    if (name === undefined) throw new Error("a file of src/schemas must export the schema of each endpoint");
    return name;
  };
  const answerOf = ({ page }: Endpoint, response: z.core.$ZodType) => {
    if (response instanceof z.ZodMiniArray) return { name: nameOf(response.def.element), isArray: true };
    const item = nameOf(response);
    if (page === undefined) return { name: item, isArray: false };
    names.set(page(response), `${item}Page`);
    return { name: `${item}Page`, isArray: false };
  };
  const endpoints = ENDPOINTS.map((endpoint: Endpoint) => {
    const { name, query, body, response } = endpoint;
    const described: EndpointSchemas = {
      ...(query && { query: nameOf(query) }),
      ...(body && { body: nameOf(body) }),
      ...(response && { answer: answerOf(endpoint, response) }),
    };
    return [name, described] as const;
  });
  return { schemas: jsonSchemas(names), endpoints: Object.fromEntries(endpoints) };
}

function jsonSchemas(names: ReadonlyMap<z.core.$ZodType, string>): Record<string, Json> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  for (const kind of Object.keys(ID_PREFIXES) as IdKind[]) registry.add(idParam(kind), { id: kind });
  const { schemas } = z.toJSONSchema(registry, {
    unrepresentable: "any",
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, extras.get(zodSchema));
      // Further fields are allowed, which is the default of JSON Schema.
      if (JSON.stringify(jsonSchema.additionalProperties) === "{}") delete jsonSchema.additionalProperties;
    },
  });
  return schemas as Record<string, Json>;
}
