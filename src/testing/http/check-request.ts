/** Checks a request with the schemas of its endpoint. The mistakes are reported as the service reports them. */
import * as z from "zod/mini";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { formatIssues } from "../../schemas/format-issues.js";
import { type IdKind, idProblem } from "../../schemas/ids.js";
import { unknownName } from "../../schemas/unknown-name.js";
import type { EmulatorSettings } from "../options.js";
import { type Incoming, invalid, type Problem } from "./exchange.js";
import { isCursor } from "./paginate.js";
import type { Route } from "./route.js";

/** The parameters that a query may repeat, as in `?id=a&id=b`. */
const LISTS: ReadonlySet<string> = new Set(["ids", "expand"]);

const NO_PARAMETERS = z.strictObject({});

/** The query and the body of a valid request. Throws a refusal that names the mistakes of any other request. */
export function checkRequest(
  route: Route,
  { url, body }: Incoming,
  params: Readonly<Record<string, string>>,
  settings: EmulatorSettings,
): { query: unknown; body: unknown } {
  const query = readQuery(route, url.searchParams, settings);
  const content = route.body === undefined ? undefined : readJson(body);
  const problems = [
    ...pathProblems(params),
    ...query.problems,
    ...(route.body === undefined ? [] : bodyProblems(route.body, content, settings.strict)),
  ];
  if (problems.length > 0) throw invalid(route.invalid, problems);
  return { query: query.values, body: content };
}

const pathProblems = (params: Readonly<Record<string, string>>): Problem[] =>
  Object.entries(params).flatMap(([kind, value]) => {
    const msg = idProblem(kind as IdKind, value);
    return msg === undefined
      ? []
      : [{ loc: ["path", kind.replace(/Id$/, "_id")], msg, type: "value_error", input: value }];
  });

/** The wire name of each parameter of the schema, without the parameters that the service ignores. */
function wireNamesOf({ query = NO_PARAMETERS, names }: Route, settings: EmulatorSettings): Map<string, string> {
  const { shape } = query._zod.def as unknown as { shape: object };
  const group: Readonly<Record<string, string>> = names === undefined ? {} : settings.names[names];
  const ignored: readonly string[] = (names && settings.ignoredParameters[names]) ?? [];
  const supported = Object.keys(shape).filter((name) => !ignored.includes(name));
  return new Map(supported.map((name) => [name, group[name] ?? name]));
}

function readQuery(route: Route, search: URLSearchParams, settings: EmulatorSettings) {
  const wireNames = wireNamesOf(route, settings);
  const problems = unknownParameters(search, [...wireNames.values()], settings);
  const values: Record<string, unknown> = {};
  for (const [name, wireName] of wireNames) {
    const sent = search.getAll(wireName);
    if (sent.length === 0) continue;
    const msg = formProblem(name, sent, settings.strict);
    if (msg !== undefined) problems.push({ loc: ["query", wireName], msg, type: "value_error", input: sent });
    else values[name] = LISTS.has(name) ? sent : typed(name, sent[0] ?? "");
  }
  const schema = route.query ?? NO_PARAMETERS;
  problems.push(...schemaProblems("query", schema, values, (name) => wireNames.get(name) ?? name));
  return { values, problems };
}

/** The unknown parameters, unless the service ignores them or refuses them with an envelope of their own. */
function unknownParameters(
  search: URLSearchParams,
  known: string[],
  { unknownParameters }: EmulatorSettings,
): Problem[] {
  if (unknownParameters === "ignore") return [];
  const unknown = [...new Set(search.keys())].filter((name) => !known.includes(name));
  const problems = unknown.map((name) => ({
    loc: ["query", name],
    msg: unknownName(name, known, "parameter"),
    type: "extra_forbidden",
    input: search.get(name),
  }));
  if (unknownParameters === "refuse" || problems.length === 0) return problems;
  throw invalid(unknownParameters === 400 ? "error" : "validation", problems);
}

/** What is wrong with the form in which a parameter was sent. */
function formProblem(name: string, sent: readonly string[], strict: boolean): string | undefined {
  if (sent.length > 1 && strict && !LISTS.has(name)) return "expected the parameter once";
  // Several ids in one value would match nothing.
  if (/^(ids|room_id)$/.test(name) && sent.some((id) => id.includes(",")))
    return "expected the parameter once for each id";
  if (name === "cursor" && !isCursor(sent[0] ?? "")) return "expected the next_cursor of a previous response";
  return undefined;
}

const typed = (name: string, text: string) => (name === "limit" && /^[+-]?\d+$/.test(text) ? Number(text) : text);

/** The JSON of a body; `undefined` if there is none. */
const readJson = ({ bytes }: Incoming["body"]): unknown => parseJson(new TextDecoder().decode(bytes));

function bodyProblems(schema: z.ZodMiniType, body: unknown, strict: boolean): Problem[] {
  if (!isRecord(body))
    return [{ loc: ["body"], msg: "expected a JSON object", type: "json_invalid", input: body ?? null }];
  const problems = schemaProblems("body", schema, body);
  return strict ? problems : problems.filter(({ type }) => type !== "extra_forbidden");
}

/** One problem for each field with a mistake. */
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
      // A service does not know the options of a client.
      const text = message.replace(" (see conferenceHosts)", "");
      return { field, msg: path === (field ?? "") ? text : `${path}: ${text}`, code: issue.code };
    }),
  );
  return problems
    .filter(({ field }, index) => problems.findIndex((problem) => problem.field === field) === index)
    .map(({ field, msg, code }) => {
      if (field === undefined) return { loc: [place], msg, type: "value_error", input: value };
      const name = String(field);
      const type = Object.hasOwn(value, name) ? (TYPES[code] ?? "value_error") : "missing";
      return { loc: [place, wireName(name)], msg, type, input: value[name] ?? null };
    });
}

/** The kinds of mistakes, in the words of the service's validator. */
const TYPES: Partial<Record<string, string>> = { unrecognized_keys: "extra_forbidden", invalid_type: "type_error" };
