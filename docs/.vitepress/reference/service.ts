/** What openapi.json and the guides know of a method: its request, a sample response, its errors, and a program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/api/public-surface.js";
import { operationId } from "../../../scripts/openapi/operation-id.js";
import { RateLimitedError, ServerError, UnauthorizedError } from "../../../src/errors/api-error.js";
import { API_ERROR_CLASSES } from "../../../src/errors/error-classes.js";

interface Schema {
  $ref?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface Content {
  content?: Record<string, { schema?: Schema; example?: unknown; examples?: Record<string, { summary: string }> }>;
}

interface Operation {
  operationId: string;
  "x-source": string;
  "x-rate-limits": { requests: number; perSeconds: number }[];
  responses: Record<string, Content & { description?: string; $ref?: string }>;
}

export interface Call {
  /** `POST /meetings/bot` */
  route: string;
  limits: string;
  /** The JSON of a successful response, shortened; `undefined` if it has none. */
  sample: string | undefined;
  /** What the service refuses this request for, by the class of the error. */
  refusals: readonly (readonly [error: string, when: string])[];
}

const read = (path: string) => readFileSync(join(root, path), "utf8");
const { paths, components } = JSON.parse(read("openapi.json")) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** The classes by their status, without those that every call may reject with. */
const CLASSES = new Map(
  Object.values(API_ERROR_CLASSES)
    .filter((one) => one !== UnauthorizedError && one !== RateLimitedError && one !== ServerError)
    .map(({ prototype: { status, name } }) => [String(status), name]),
);

const ITEMS_MAX = 2;
const TEXT_MAX = 54;

/** Long lists and texts are cut. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX - 2)} …` : value;
  if (Array.isArray(value)) {
    const more = value.length > ITEMS_MAX ? [`… ${value.length - ITEMS_MAX} more`] : [];
    return [...value.slice(0, ITEMS_MAX).map(shortened), ...more];
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shortened(field)]));
}

const perTime = ({ requests, perSeconds }: { requests: number; perSeconds: number }) =>
  `${requests} a${perSeconds === 60 ? " minute" : "n hour"}`;

const CALLS: ReadonlyMap<string, Call> = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Call] => {
      const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
      const example = success?.content?.["application/json"]?.example;
      const refusals = Object.entries(operation.responses).flatMap(([status, { content, description }]) => {
        const error = CLASSES.get(status);
        const examples = Object.values(content?.["application/json"]?.examples ?? {});
        if (error === undefined) return [];
        const when = examples.length > 0 ? examples.map(({ summary }) => summary).join(" ") : (description ?? "");
        return [[error, when || "There is no such object, or the account cannot reach it."] as const];
      });
      return [
        operation.operationId,
        {
          route: `${method.toUpperCase()} ${path}`,
          limits: operation["x-rate-limits"].map(perTime).join(" and "),
          sample: example === undefined ? undefined : JSON.stringify(shortened(example), null, 2),
          refusals,
        },
      ];
    }),
  ),
);

/** By the name of a type, an example of it from the responses of the service. */
const SAMPLES = new Map<string, unknown>();

function collectSamples({ $ref, items, properties = {} }: Schema, value: unknown): void {
  if (value === undefined || value === null) return;
  if ($ref !== undefined) {
    const name = $ref.replace(/^.*\//, "");
    if (SAMPLES.has(name)) return;
    SAMPLES.set(name, value);
    collectSamples(components.schemas[name] ?? {}, value);
  }
  if (items !== undefined) collectSamples(items, (value as unknown[])[0]);
  for (const [name, field] of Object.entries(properties)) {
    collectSamples(field, (value as Record<string, unknown>)[name]);
  }
}

for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
  for (const { content } of Object.values(responses)) {
    const { schema, example } = content?.["application/json"] ?? {};
    if (schema !== undefined) collectSamples(schema, example);
  }
}

/** The JSON of a value of a type such as `Meeting`, `Document[]` or `DocumentIn<F>`. */
export function sampleOf(type: string): string | undefined {
  const [, name = "", isMaybeWith, isList] = /^(\w+?)((?:With|In)<.*>)?(\[\])?$/.exec(type) ?? [];
  const sample = SAMPLES.get(isMaybeWith === undefined ? type.replace(/\[\]$/, "") : name);
  if (sample === undefined) return undefined;
  return JSON.stringify(shortened(isList === undefined ? sample : [sample]), null, 2);
}

/** `method` is, for example, `meetings.sendBot`. */
export const callOf = (method: string): Call | undefined => CALLS.get(operationId(method));

/** What to do about an error, from the table of the guide. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  [
    ...read("docs/errors.md")
      .replaceAll("](#", "](../docs/errors.md#")
      .matchAll(/^\| `(\w+)` \|(?:.*?\|)*? ([^|]+) \|$/gm),
  ]
    .reverse()
    .map(([, name = "", advice = ""]) => [name, advice.replace(/\]\(([\w-]+)\.md/g, "](../docs/$1.md")]),
);
export const adviceOn = (error: string) => ADVICE.get(error) ?? "";

/** The programs of the reference, where the doc comment has none that runs alone. */
const PROGRAMS: ReadonlyMap<string, string> = new Map(
  [...read("docs/.vitepress/reference/programs.md").matchAll(/^## (.+)\n\n```ts\n([\s\S]*?)^```$/gm)].map(
    ([, name = "", code = ""]) => [name, code],
  ),
);
export const programOf = (method: string) => PROGRAMS.get(method);
