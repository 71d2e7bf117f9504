/** Checks a request with the schemas of its endpoint. The mistakes are reported as the service reports them. */
import * as z from "zod/mini";
import { formatIssues } from "../../checks/format-issues.js";
import { unknownName } from "../../checks/unknown-name.js";
import { isRecord } from "../../json/is-record.js";
import { type IdKind, idProblem } from "../../schemas/ids.js";
import { mediaTypeEssence } from "../../schemas/media-type.js";
import { shapeOf } from "../emulator-error.js";
import type { EmulatorSettings } from "../options.js";
import { type Incoming, parsedBody } from "./exchange.js";
import { invalid, mediaTypeProblem, type Problem, problem } from "./refusals.js";
import { type Route, wireNameOf } from "./route.js";

const NO_PARAMETERS = z.strictObject({});

/** The parameters of which a lenient emulator ignores an invalid value, as it ignores an unknown parameter. */
const LENIENT: readonly string[] = ["scope", "expand", "format", "status", "start_date", "end_date", "cursor"];

/** The query and the body of a valid request. Throws a refusal that names the mistakes of any other request. */
export function checkRequest(
  route: Route,
  { url, headers, body }: Incoming,
  params: Readonly<Record<string, string>>,
  settings: EmulatorSettings,
): { query: unknown; body: unknown } {
  const query = readQuery(route, url.searchParams, settings);
  const schema = route.bodyFor?.(settings) ?? route.body;
  const content = schema === undefined ? undefined : parsedBody(body.bytes);
  const problems = [
    ...pathProblems(params),
    ...query.problems,
    ...(schema === undefined ? [] : bodyProblems(schema, content, settings.strict ? headers : undefined)),
  ];
  if (problems.length > 0) throw invalid(route.invalid, problems);
  return { query: query.values, body: content };
}

const pathProblems = (params: Readonly<Record<string, string>>): Problem[] =>
  Object.entries(params).flatMap(([kind, value]) => {
    const msg = idProblem(kind as IdKind, value);
    return msg === undefined ? [] : [problem(["path", kind.replace(/Id$/, "_id")], msg, value)];
  });

function readQuery(route: Route, search: URLSearchParams, settings: EmulatorSettings) {
  const schema = route.query ?? NO_PARAMETERS;
  const fields = Object.entries(shapeOf(schema));
  const wireName = (name: string) => wireNameOf(route, settings, name);
  const known = fields.map(([name]) => wireName(name));
  const problems = settings.strict ? unknownParameters(search, known) : [];
  const values: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const all = search.getAll(wireName(name));
    const sent = settings.strict || !LENIENT.includes(name) ? all : acceptedOf(field, all);
    // Several values in one, as in `id=a,b`, would match nothing.
    if (sent.some((text) => text.includes(",")) && !accepts(field, readParameter(field, [","], settings.strict))) {
      problems.push(problem(["query", wireName(name)], "expected the parameter once for each value", sent));
    } else if (sent.length > 0) {
      values[name] = readParameter(field, sent, settings.strict);
    }
  }
  problems.push(...schemaProblems("query", schema, values, wireName));
  return { values, problems };
}

const acceptedOf = (field: z.ZodMiniType, sent: readonly string[]) =>
  sent.filter((text) => accepts(field, readParameter(field, [text], false)));

const accepts = (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value).success;

/** Whether the schema is one of a list: it then names the place of a wrong item. */
const isList = (schema: z.ZodMiniType) => z.safeParse(schema, [null]).error?.issues[0]?.path.length === 1;

function readParameter(schema: z.ZodMiniType, sent: readonly string[], strict: boolean): unknown {
  const [text = ""] = sent;
  if (isList(schema) || (sent.length > 1 && strict)) return sent;
  return accepts(schema, 1) && /^[+-]?\d+$/.test(text) ? Number(text) : text;
}

function unknownParameters(search: URLSearchParams, known: string[]): Problem[] {
  const unknown = [...new Set(search.keys())].filter((name) => !known.includes(name));
  return unknown.map((name) =>
    problem(["query", name], unknownName(name, known, "parameter"), search.get(name), "extra_forbidden"),
  );
}

/** The mistakes in a body. Without `headers`, its media type and unknown fields do not matter. */
function bodyProblems(schema: z.ZodMiniType, body: unknown, headers: Headers | undefined): Problem[] {
  const type = headers?.get("content-type") ?? null;
  const isJson = headers === undefined || /^application\/([^;]+\+)?json$/.test(mediaTypeEssence(type ?? ""));
  if (!isJson && body !== undefined) return [mediaTypeProblem(type, "application/json")];
  if (!isRecord(body)) return [problem(["body"], "expected a JSON object", body ?? null, "json_invalid")];
  const problems = schemaProblems("body", schema, body);
  return headers !== undefined ? problems : problems.filter(({ type }) => type !== "extra_forbidden");
}

function schemaProblems(
  place: string,
  schema: z.ZodMiniType,
  value: Record<string, unknown>,
  wireName = (field: string) => field,
): Problem[] {
  const issues = z.safeParse(schema, value).error?.issues ?? [];
  const problems = issues.flatMap((issue) =>
    formatIssues([issue], value, schema, "field").map(({ path, message }) => {
      const field = issue.code === "unrecognized_keys" ? path : issue.path[0];
      return { field, msg: path === (field ?? "") ? message : `${path}: ${message}`, code: issue.code };
    }),
  );
  return problems
    .filter(({ field }, index) => problems.findIndex((problem) => problem.field === field) === index)
    .map(({ field, msg, code }) => {
      if (field === undefined) return problem([place], msg, value);
      const name = String(field);
      const type = Object.hasOwn(value, name) ? (TYPES[code] ?? "value_error") : "missing";
      return problem([place, wireName(name)], msg, value[name] ?? null, type);
    });
}

/** The kinds of mistakes, in the words of the service's validator. */
const TYPES: Partial<Record<string, string>> = { unrecognized_keys: "extra_forbidden", invalid_type: "type_error" };
