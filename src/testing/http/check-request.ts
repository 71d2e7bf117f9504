/** Checks a request against the rules of its route. */
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { EmulatorSettings } from "../state/context.js";
import { invalid, type Problem } from "./error-response.js";
import type { Incoming } from "./exchange.js";
import type { FieldRule, QueryRule, Route } from "./route.js";
import type { Finding, Rule } from "./rules.js";

const problem = (loc: string[], { msg, type, ctx }: Finding, input: unknown): Problem => ({
  loc,
  msg,
  type,
  input,
  ...(ctx === undefined ? {} : { ctx }),
});

/** Returns the body, or throws a refusal that names the mistakes: first unknown parameters, then invalid values. */
export function checkRequest(
  route: Route,
  request: Incoming,
  params: Record<string, string>,
  settings: EmulatorSettings,
): Record<string, unknown> {
  const query = checkQuery(route.query ?? {}, request.url.searchParams, settings);
  const body = checkBody(route, request, settings.strict);
  const problems = [
    ...checkParams(route.params ?? {}, params),
    ...query,
    ...checkHeaders(route.headers ?? {}, request.headers),
    ...body.problems,
  ];
  if (problems.length > 0) throw invalid(route.invalid, problems);
  return body.fields;
}

function checkParams(rules: Record<string, Rule>, params: Record<string, string>): Problem[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const finding = rule(params[name]);
    return finding === undefined ? [] : [problem(["path", name], finding, params[name])];
  });
}

function checkQuery(
  rules: Record<string, QueryRule>,
  query: URLSearchParams,
  { strict, dialect }: EmulatorSettings,
): Problem[] {
  const names = [...new Set(query.keys())];
  const unknown = names
    .filter((name) => !Object.hasOwn(rules, name))
    .map((name) => unknownProblem("query", "parameter", name, Object.keys(rules), query.get(name)));
  const { unknownParameters } = dialect;
  if (unknown.length > 0 && typeof unknownParameters === "number") {
    throw invalid(unknownParameters === 400 ? "error" : "validation", unknown);
  }
  const known = Object.entries(rules).flatMap(([name, rule]) => checkParameter(name, rule, query.getAll(name), strict));
  return unknownParameters === "refuse" ? [...unknown, ...known] : known;
}

function checkParameter(name: string, { rule, repeated }: QueryRule, values: string[], strict: boolean): Problem[] {
  if (values.length > 1 && repeated === undefined && strict) {
    return [problem(["query", name], { msg: "Parameter should be given once", type: "repeated" }, values)];
  }
  return values.flatMap((value) => {
    const finding = rule(value);
    return finding === undefined ? [] : [problem(["query", name], finding, value)];
  });
}

const MISSING: Finding = { msg: "Field required", type: "missing" };

function checkHeaders(rules: Record<string, Rule>, headers: Headers): Problem[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const value = headers.get(name);
    const finding = value === null ? MISSING : rule(value);
    return finding === undefined ? [] : [problem(["header", name], finding, value)];
  });
}

interface CheckedBody {
  fields: Record<string, unknown>;
  problems: Problem[];
}

const wrongBody = (finding: Finding, input: unknown = null): CheckedBody => ({
  fields: {},
  problems: [problem(["body"], finding, input)],
});

function checkBody(route: Route, request: Incoming, strict: boolean): CheckedBody {
  const { bytes, length } = request.body;
  if (route.binary && length === 0) return wrongBody({ ...MISSING, msg: "Field required: the file" });
  if (route.fields === undefined) return { fields: {}, problems: [] };
  if (length === 0) return wrongBody(MISSING);
  const body = parseJson(new TextDecoder().decode(bytes));
  if (body === undefined) return wrongBody({ msg: "Body should be valid JSON", type: "json_invalid" });
  if (!isRecord(body)) return wrongBody({ msg: "Body should be a JSON object", type: "model_attributes_type" }, body);
  const problems = checkFields(route.fields, body, strict);
  const together = problems.length === 0 ? route.together?.(body) : undefined;
  return { fields: body, problems: together === undefined ? problems : [together] };
}

function checkFields(rules: Record<string, FieldRule>, body: Record<string, unknown>, strict: boolean): Problem[] {
  const known = Object.entries(rules).flatMap(([name, { rule, required }]) => {
    if (!Object.hasOwn(body, name)) return required ? [problem(["body", name], MISSING, body)] : [];
    const finding = rule(body[name]);
    return finding === undefined ? [] : [problem(["body", name], finding, body[name])];
  });
  const unknown = Object.keys(body)
    .filter((name) => strict && !Object.hasOwn(rules, name))
    .map((name) => unknownProblem("body", "field", name, Object.keys(rules), body[name]));
  return [...known, ...unknown];
}

function unknownProblem(place: string, noun: string, name: string, allowed: string[], input: unknown): Problem {
  const expected = allowed.length === 0 ? "this endpoint has none" : `expected one of ${allowed.join(", ")}`;
  return problem([place, name], { msg: `Unknown ${noun} '${name}': ${expected}`, type: "extra_forbidden" }, input);
}
