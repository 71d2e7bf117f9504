/**
 * The fields of tool inputs: each with a description that the model reads, and none that JSON Schema cannot express.
 */
import * as z from "zod/mini";

/** `schema` with a description. */
function described<T extends z.ZodMiniType>(schema: T, description: string): T {
  z.globalRegistry.add(schema, { description });
  return schema;
}

const text = (description: string) => described(z.string().check(z.minLength(1), z.maxLength(1024)), description);
const optionalText = (description: string) => z.optional(text(description));

const id = (prefix: string, description: string) =>
  described(z.string().check(z.regex(new RegExp(`^${prefix}.+`)), z.maxLength(200)), description);

export const fields = {
  text,
  optionalText,
  meetingId: () => id("mtg_", "The id of a meeting, mtg_…, as find_meetings returns it."),
  documentId: () => id("doc_", "The id of a document, doc_…, as get_meeting or find_document returns it."),
  eventId: () => id("evt_", "The id of a calendar event, evt_…, as list_upcoming_meetings returns it."),
  date: (description: string) => z.optional(described(z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)), description)),
  oneOf: <const T extends readonly [string, ...string[]]>(values: T, description: string) =>
    described(z.enum(values), description),
  limit: () =>
    z.optional(described(z.int().check(z.minimum(1), z.maximum(100)), "How many to return: 1 to 100. Default 20.")),
  cursor: () => optionalText("The next_cursor of a previous result, to continue from there."),
  maxCharacters: () =>
    z.optional(
      described(
        z.int().check(z.minimum(500), z.maximum(100_000)),
        "How much text to return: 500 to 100000 characters. Default 20000. The rest comes with next_cursor.",
      ),
    ),
};
