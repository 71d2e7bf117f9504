/** Compares a value with the transcription of the API specification, and names every field that differs. */
import { type Field, type FieldType, RESOURCES } from "./interface.js";

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The differences, as `Room.meeting_count: expected integer, received undefined`. Empty if the value conforms. */
export function differences(type: FieldType, value: unknown, path: string): string[] {
  const expected = (holds: boolean, what: string) =>
    holds ? [] : [`${path}: expected ${what}, received ${JSON.stringify(value)}`];
  switch (type.kind) {
    case "string":
      return expected(typeof value === "string", "string");
    case "text":
      return expected(typeof value === "string" && [...value].length <= type.max, `at most ${type.max} characters`);
    case "id":
      return expected(
        typeof value === "string" && value.startsWith(type.prefix) && value.length > type.prefix.length,
        `${type.prefix}…`,
      );
    case "enum":
      return expected(type.values.includes(value as string), type.values.join(" | "));
    case "timestamp":
      return expected(
        typeof value === "string" && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
        "ISO 8601",
      );
    case "date":
      return expected(typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value), "YYYY-MM-DD");
    case "url":
    case "conference link":
      return expected(typeof value === "string" && URL.canParse(value) && value.length <= type.max, "a URL");
    case "integer":
      return expected(
        Number.isInteger(value) &&
          (value as number) >= (type.min ?? -Infinity) &&
          (value as number) <= (type.max ?? Infinity),
        "integer",
      );
    case "number":
      return expected(typeof value === "number", "number");
    case "boolean":
      return expected(typeof value === "boolean", "boolean");
    case "any":
      return [];
    case "array":
      if (!Array.isArray(value)) return expected(false, "array");
      return [
        ...expected(value.length >= (type.min ?? 0), `at least ${type.min}`),
        ...value.flatMap((item, index) => differences(type.of, item, `${path}[${index}]`)),
      ];
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return expected(false, "object");
      return typeof type.of === "string"
        ? fieldDifferences(RESOURCES[type.of], value as Record<string, unknown>, path, OPEN.has(type.of))
        : fieldDifferences(type.of, value as Record<string, unknown>, path, type.of.length === 0);
    }
  }
}

/** Resources that may have additional fields. */
const OPEN: ReadonlySet<string> = new Set(["Recipient", "UpcomingMeeting"]);

function fieldDifferences(
  fields: readonly Field[],
  value: Record<string, unknown>,
  path: string,
  open: boolean,
): string[] {
  const found = fields.flatMap((field) => {
    const present = Object.hasOwn(value, field.name);
    const content = value[field.name];
    if (!present) return field.required ? [`${path}.${field.name}: is missing`] : [];
    if (content === null && (!field.required || field.nullable)) return [];
    return differences(field.type, content, `${path}.${field.name}`);
  });
  const known = new Set(fields.map(({ name }) => name));
  const extra = open ? [] : Object.keys(value).filter((key) => !known.has(key));
  return [...found, ...extra.map((key) => `${path}.${key}: the API specification shows no such field`)];
}
