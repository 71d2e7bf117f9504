/** What openapi.json and the guides know of a method: its request, a sample response, its errors, and a program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/api/public-surface.js";
import { operationId } from "../../../scripts/openapi/operation-id.js";

interface Content {
  content?: Record<string, { example?: unknown; examples?: Record<string, { summary: string }> }>;
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
const { paths } = JSON.parse(read("openapi.json")) as { paths: Record<string, Record<string, Operation>> };

const CLASSES: Readonly<Record<string, string>> = {
  400: "BadRequestError",
  403: "ForbiddenError",
  404: "NotFoundError",
  422: "InvalidRequestError",
};

const ITEMS_MAX = 2;
const TEXT_MAX = 70;

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
        const error = CLASSES[status];
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

/** `method` is, for example, `meetings.sendBot`. */
export const callOf = (method: string): Call | undefined => CALLS.get(operationId(method));

/** What to do about an error, from the table of the guide. */
const ADVICE: ReadonlyMap<string, string> = new Map(
  [...read("docs/errors.md").matchAll(/^\| `(\w+)` \|(?:.*?\|)*? ([^|]+) \|$/gm)]
    .reverse()
    .map(([, name = "", advice = ""]) => [name, advice.replace(/\]\((\w+)\.md/g, "](../docs/$1.md")]),
);
export const adviceOn = (error: string) => ADVICE.get(error) ?? "";

/** The programs of the reference, where the doc comment has none that runs alone. */
const PROGRAMS: ReadonlyMap<string, string> = new Map(
  [...read("docs/.vitepress/reference/programs.md").matchAll(/^## (.+)\n\n```ts\n([\s\S]*?)^```$/gm)].map(
    ([, name = "", code = ""]) => [name, code],
  ),
);
export const programOf = (method: string) => PROGRAMS.get(method);
