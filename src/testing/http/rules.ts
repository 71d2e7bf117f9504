/**
 * The rules for the fields of a request. A rule reports a mistake with the messages and types of the service's
 * validator.
 */
import { isRecord } from "../../json/is-record.js";
import { conferenceService } from "../../schemas/conference-link.js";
import { isSecureUrl } from "../../schemas/http-url.js";
import { ID_PREFIXES, type IdKind, idProblem } from "../../schemas/ids.js";
import { isCalendarDate, isLongerThan } from "../../schemas/primitives.js";
import type { Problem } from "./error-response.js";

export type Finding = Omit<Problem, "loc" | "input">;
/** Returns the mistake in a value, or `undefined`. */
export type Rule = (value: unknown) => Finding | undefined;

const NOT_A_STRING: Finding = { msg: "Input should be a valid string", type: "string_type" };

const onString =
  (rule: (value: string) => Finding | undefined): Rule =>
  (value) =>
    typeof value === "string" ? rule(value) : NOT_A_STRING;

/** Any string. */
export const anyText: Rule = onString(() => undefined);

/** A string that is not empty. */
export const nonEmptyText: Rule = onString((value) =>
  value === ""
    ? { msg: "String should have at least 1 character", type: "string_too_short", ctx: { min_length: 1 } }
    : undefined,
);

/** At most `max` Unicode code points. */
export const atMost = (max: number): Rule =>
  onString((value) =>
    !isLongerThan(value, max)
      ? undefined
      : { msg: `String should have at most ${max} characters`, type: "string_too_long", ctx: { max_length: max } },
  );

/** An id. The rule is the same as in the client's check of its own requests. */
export const idRule = (kind: IdKind): Rule => {
  const prefix = ID_PREFIXES[kind];
  return onString((value) =>
    idProblem(kind, value) === undefined
      ? undefined
      : { msg: `Input should be an id of the form ${prefix}…`, type: "string_pattern_mismatch", ctx: { prefix } },
  );
};

/** An id in a query. Several ids in one value are a mistake, because they would match nothing. */
export const queryIdRule = (kind: IdKind): Rule =>
  all(
    idRule(kind),
    onString((value) =>
      value.includes(",") ? { msg: "Give the parameter once for each id", type: "repeat_instead" } : undefined,
    ),
  );

export const oneOf = (values: readonly string[]): Rule => {
  const expected = values.map((value) => `'${value}'`).join(", ");
  return (value) =>
    typeof value === "string" && values.includes(value)
      ? undefined
      : { msg: `Input should be one of ${expected}`, type: "enum", ctx: { expected } };
};

/** An integer in a query, in decimal digits. */
export const integerFrom = (min: number, max: number): Rule =>
  onString((value) => {
    if (!/^[+-]?\d+$/.test(value)) return { msg: "Input should be a valid integer", type: "int_parsing" };
    if (Number(value) < min) {
      return { msg: `Input should be greater than or equal to ${min}`, type: "greater_than_equal", ctx: { ge: min } };
    }
    if (Number(value) > max) {
      return { msg: `Input should be less than or equal to ${max}`, type: "less_than_equal", ctx: { le: max } };
    }
    return undefined;
  });

/** A calendar date of the form YYYY-MM-DD that exists. */
export const calendarDate: Rule = onString((value) =>
  isCalendarDate(value)
    ? undefined
    : { msg: "Input should be a valid date in the form YYYY-MM-DD", type: "date_parsing" },
);

export const boolean: Rule = (value) =>
  typeof value === "boolean" ? undefined : { msg: "Input should be a valid boolean", type: "bool_type" };

/** A list of at least one item. `rule` applies to each item. */
export const listOf =
  (rule: Rule): Rule =>
  (value) => {
    if (!Array.isArray(value)) return { msg: "Input should be a valid list", type: "list_type" };
    if (value.length === 0) {
      return { msg: "List should have at least 1 item", type: "too_short", ctx: { min_length: 1, actual_length: 0 } };
    }
    return value.map(rule).find((finding) => finding !== undefined);
  };

/** An object with the given fields, each with its rule. Other fields are not checked. */
export const objectWith =
  (fields: Record<string, Rule>): Rule =>
  (value) => {
    if (!isRecord(value)) return { msg: "Input should be a valid object", type: "dict_type" };
    for (const [name, rule] of Object.entries(fields)) {
      if (!Object.hasOwn(value, name)) return { msg: `Field required: ${name}`, type: "missing", ctx: { field: name } };
      const finding = rule(value[name]);
      if (finding !== undefined) return { ...finding, msg: `${name}: ${finding.msg}` };
    }
    return undefined;
  };

/** Combines several rules. The first mistake is reported. */
export const all =
  (...rules: Rule[]): Rule =>
  (value) => {
    for (const rule of rules) {
      const finding = rule(value);
      if (finding !== undefined) return finding;
    }
    return undefined;
  };

/** A join link of one of the four conference services. */
export const conferenceLink: Rule = onString((value) =>
  conferenceService(value) === undefined
    ? { msg: "Link should be a Zoom, Google Meet, Microsoft Teams or Webex join link", type: "url_not_supported" }
    : undefined,
);

/** An absolute `https:` URL, or an `http:` URL of a loopback host. */
export const deliveryUrl: Rule = onString((value) =>
  isSecureUrl(value) ? undefined : { msg: "URL should be an absolute https address", type: "url_scheme" },
);
