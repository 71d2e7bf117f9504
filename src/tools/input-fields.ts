/** The fields of tool inputs. Each has a description for the model, and can be expressed as JSON Schema. */
import * as z from "zod/mini";
import { quoted } from "../checks/format-issues.js";
import { MAX_RESULT } from "./cut-text.js";
import { MAX_ROWS } from "./page-result.js";

function described<T extends z.ZodMiniType>(schema: T, description: string): T {
  z.globalRegistry.add(schema, { description });
  return schema;
}

/** The message of a check for an invalid value, from which the model can correct its input. */
const expecting = (expected: string) => ({
  error: ({ input }: { readonly input?: unknown }) => `expected ${expected}, received ${quoted(input)}`,
});

const TEXT = expecting("1 to 1024 characters");

const textInput = (description: string) =>
  described(z.string().check(z.minLength(1, TEXT), z.maxLength(1024, TEXT)), description);

/** An optional field. Many hosts send every field, `null` or `""` for one that the model did not set. */
const optional = <T extends z.ZodMiniType>(schema: T, read: (value: unknown) => unknown = (value) => value) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (value === null || value === "" ? undefined : read(value))),
      z.optional(schema),
    ),
  );

const optionalText = (description: string) => optional(textInput(description));

const id = (prefix: string, description: string) => {
  const params = expecting(`an id of the form ${prefix}…`);
  return described(
    z.string().check(z.regex(new RegExp(`^${prefix}.+`), params), z.maxLength(200, params)),
    description,
  );
};

const integerInput = (min: number, max: number, description: string) => {
  const params = expecting(`an integer from ${min} to ${max}`);
  return optional(
    described(z.int(params).check(z.minimum(min, params), z.maximum(max, params)), description),
    (value) => (typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value),
  );
};

const CURSOR = expecting("the next_cursor of a previous result");

const cursor = () =>
  optional(
    described(
      z.string().check(z.minLength(1, CURSOR), z.maxLength(4096, CURSOR)),
      "The next_cursor of a previous result, to continue from there.",
    ),
    // A model may take a cursor of digits for a number.
    (value) => (typeof value === "number" ? String(value) : value),
  );

const DATE = expecting("a day, YYYY-MM-DD");

export const fields = {
  text: textInput,
  optional,
  optionalText,
  meetingId: () => id("mtg_", "The id of a meeting, mtg_…, as find_meetings returns it."),
  meetingIds: (description: string) =>
    optional(
      described(z.array(z.string()).check(z.maxLength(50, expecting("at most 50 ids"))), description),
      (value) => (Array.isArray(value) && value.length === 0 ? undefined : value),
    ),
  documentId: () => id("doc_", "The id of a document, doc_…, as get_meeting or find_document returns it."),
  eventId: () => id("evt_", "The id of a calendar event, evt_…, as list_upcoming_meetings returns it."),
  date: (description: string) => optional(described(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, DATE)), description)),
  oneOf: <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
    described(z.enum(values, expecting(`one of ${values.join(", ")}`)), description),
  cursor,
  integer: integerInput,
  ofPage: () => ({ limit: integerInput(1, MAX_ROWS, "How many to return: 1 to 20. Default 20."), cursor: cursor() }),
  ofPart: () => ({
    cursor: cursor(),
    max_characters: integerInput(
      500,
      MAX_RESULT,
      "How long the result may be: 500 to 20000 characters of JSON. Default 20000. The rest comes with next_cursor.",
    ),
  }),
};
