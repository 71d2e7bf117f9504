/** Checks a request against the description of its endpoint. */

import { invalid, type Problem } from "./error-response.js";
import type { Incoming } from "./exchange.js";
import type { FieldRule, Route } from "./route.js";
import type { Finding } from "./rules.js";

const problem = (loc: string[], finding: Finding, input: unknown): Problem => ({
  loc,
  msg: finding.msg,
  type: finding.type,
  input,
  ...(finding.ctx === undefined ? {} : { ctx: finding.ctx }),
});

/** Throws a refusal that names everything that is wrong; otherwise gives the body. */
export function checkRequest(
  route: Route,
  request: Incoming,
  params: Record<string, string>,
  strict: boolean,
): Record<string, unknown> {
  const problems = [
    ...checkParams(route, params),
    ...checkQuery(route, request.url.searchParams, strict),
    ...checkHeaders(route, request.headers),
  ];
  const body = route.fields === undefined ? {} : readJson(request, problems);
  if (route.fields !== undefined && body !== undefined)
    problems.push(...checkFields(route, route.fields, body, strict));
  if (route.binary && request.body.length === 0) {
    problems.push({ loc: ["body"], msg: "Field required: the file", type: "missing", input: null });
  }
  if (problems.length > 0) throw invalid(route.invalid, problems);
  return body ?? {};
}

function checkParams(route: Route, params: Record<string, string>): Problem[] {
  return Object.entries(route.params ?? {}).flatMap(([name, rule]) => {
    const finding = rule(params[name]);
    return finding === undefined ? [] : [problem(["path", name], finding, params[name])];
  });
}

function checkQuery(route: Route, query: URLSearchParams, strict: boolean): Problem[] {
  const problems: Problem[] = [];
  const known = route.query ?? {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (!Object.hasOwn(known, name)) {
      if (strict) problems.push(unknownName("query", "parameter", name, Object.keys(known), values[0]));
      continue;
    }
    const { rule, repeated } = known[name]!;
    if (values.length > 1 && !repeated && strict) {
      problems.push(problem(["query", name], { msg: "Parameter should be given once", type: "repeated" }, values));
      continue;
    }
    values.forEach((value) => {
      const finding = rule(value);
      if (finding !== undefined) problems.push(problem(["query", name], finding, value));
    });
  }
  return problems;
}

function checkHeaders(route: Route, headers: Headers): Problem[] {
  return Object.entries(route.headers ?? {}).flatMap(([name, rule]) => {
    const value = headers.get(name);
    const finding = value === null ? { msg: "Field required", type: "missing" } : rule(value);
    return finding === undefined ? [] : [problem(["header", name], finding, value)];
  });
}

function readJson(request: Incoming, problems: Problem[]): Record<string, unknown> | undefined {
  const { bytes, length } = request.body;
  if (length === 0) {
    problems.push({ loc: ["body"], msg: "Field required", type: "missing", input: null });
    return undefined;
  }
  const body = parsedJson(bytes);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  const finding =
    body === undefined
      ? { msg: "Body should be valid JSON", type: "json_invalid" }
      : { msg: "Body should be a JSON object", type: "model_attributes_type" };
  problems.push(problem(["body"], finding, body ?? null));
  return undefined;
}

/** What the bytes say as JSON; `undefined` when they are none. */
export function parsedJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function checkFields(
  route: Route,
  fields: Record<string, FieldRule>,
  body: Record<string, unknown>,
  strict: boolean,
): Problem[] {
  const problems: Problem[] = [];
  for (const [name, { rule, required }] of Object.entries(fields)) {
    if (!Object.hasOwn(body, name)) {
      if (required) problems.push({ loc: ["body", name], msg: "Field required", type: "missing", input: body });
      continue;
    }
    const finding = rule(body[name]);
    if (finding !== undefined) problems.push(problem(["body", name], finding, body[name]));
  }
  if (strict) {
    for (const name of Object.keys(body)) {
      if (!Object.hasOwn(fields, name))
        problems.push(unknownName("body", "field", name, Object.keys(fields), body[name]));
    }
  }
  const together = problems.length === 0 ? route.together?.(body) : undefined;
  return together === undefined ? problems : [...problems, together];
}

function unknownName(place: string, kind: string, name: string, known: string[], input: unknown): Problem {
  const expected = known.length === 0 ? `this endpoint takes none` : `expected one of ${known.join(", ")}`;
  return problem([place, name], { msg: `Unknown ${kind} '${name}': ${expected}`, type: "extra_forbidden" }, input);
}
