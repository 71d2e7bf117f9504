/** What a field of a request may hold, in the interface's terms. Each rule finds the mistake, or finds none. */
import { conferenceService } from "../../schemas/conference-link.js";
import { isSecureUrl } from "../../schemas/http-url.js";
import type { Problem } from "./error-response.js";

export type Finding = Omit<Problem, "loc" | "input">;
/** Says what is wrong with a value, or `undefined`. */
export type Rule = (value: unknown) => Finding | undefined;

/** Characters as a reader counts them: one outside the BMP counts once. */
const characters = (value: string) => [...value].length;

const notAString: Finding = { msg: "Input should be a valid string", type: "string_type" };

const onString =
  (rule: (value: string) => Finding | undefined): Rule =>
  (value) =>
    typeof value === "string" ? rule(value) : notAString;

/** Any string. */
export const anyText: Rule = onString(() => undefined);

/** A string that is not empty. */
export const filledText: Rule = onString((value) =>
  value === ""
    ? { msg: "String should have at least 1 character", type: "string_too_short", ctx: { min_length: 1 } }
    : undefined,
);

/** At most `max` characters. */
export const atMost = (max: number): Rule =>
  onString((value) =>
    value.length > max && characters(value) > max
      ? { msg: `String should have at most ${max} characters`, type: "string_too_long", ctx: { max_length: max } }
      : undefined,
  );

/** An id of the form `<prefix>…`, without what cannot be in an id. */
export const idOf = (prefix: string): Rule =>
  onString((value) =>
    value.startsWith(prefix) && value.length > prefix.length && !/[\s/\\?#%\p{Cc}]/u.test(value)
      ? undefined
      : { msg: `Input should be an id of the form ${prefix}…`, type: "string_pattern_mismatch", ctx: { prefix } },
  );

/** An id in a query. Several in one value, which would match nothing, are a mistake. */
export const queryIdOf = (prefix: string): Rule =>
  all(
    idOf(prefix),
    onString((value) =>
      value.includes(",") ? { msg: "Give the parameter once for each id", type: "repeat_instead" } : undefined,
    ),
  );

export const oneOf = (values: readonly string[]): Rule => {
  const expected = values.map((value) => `'${value}'`).join(", ");
  return (value) =>
    values.includes(value as string)
      ? undefined
      : { msg: `Input should be one of ${expected}`, type: "enum", ctx: { expected } };
};

/** A whole number written in decimal digits, as a query carries it. */
export const integerFrom = (min: number, max: number): Rule =>
  onString((value) => {
    if (!/^[+-]?\d+$/.test(value)) return { msg: "Input should be a valid integer", type: "int_parsing" };
    if (Number(value) < min)
      return { msg: `Input should be greater than or equal to ${min}`, type: "greater_than_equal", ctx: { ge: min } };
    if (Number(value) > max)
      return { msg: `Input should be less than or equal to ${max}`, type: "less_than_equal", ctx: { le: max } };
    return undefined;
  });

/** A day of the calendar, YYYY-MM-DD. */
export const calendarDate: Rule = onString((value) =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.startsWith(value) === true
    ? undefined
    : { msg: "Input should be a valid date in the form YYYY-MM-DD", type: "date_parsing" },
);

export const boolean: Rule = (value) =>
  typeof value === "boolean" ? undefined : { msg: "Input should be a valid boolean", type: "bool_type" };

/** A list of at least one, each item under `rule`. */
export const listOf =
  (rule: Rule): Rule =>
  (value) => {
    if (!Array.isArray(value)) return { msg: "Input should be a valid list", type: "list_type" };
    if (value.length === 0)
      return { msg: "List should have at least 1 item", type: "too_short", ctx: { min_length: 1, actual_length: 0 } };
    return value.map(rule).find((finding) => finding !== undefined);
  };

/** An object whose named fields are under the given rules; its other fields are left alone. */
export const objectWith =
  (fields: Record<string, Rule>): Rule =>
  (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { msg: "Input should be a valid object", type: "dict_type" };
    for (const [name, rule] of Object.entries(fields)) {
      if (!Object.hasOwn(value, name)) return { msg: `Field required: ${name}`, type: "missing", ctx: { field: name } };
      const finding = rule((value as Record<string, unknown>)[name]);
      if (finding !== undefined) return { ...finding, msg: `${name}: ${finding.msg}` };
    }
    return undefined;
  };

/** Each rule in turn: the first mistake counts. */
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

/** An absolute `https:` address, or an `http:` address of a loopback host. */
export const deliveryUrl: Rule = onString((value) =>
  isSecureUrl(value) ? undefined : { msg: "URL should be an absolute https address", type: "url_scheme" },
);
