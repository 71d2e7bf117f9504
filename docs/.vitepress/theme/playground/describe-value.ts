/** Writes a value as a console does: an error with its fields, an object over several lines if it is long. */
const MAX_DEPTH = 5;
const MAX_ITEMS = 100;
const MAX_LINE = 72;

const isError = (value: unknown): value is Error => value instanceof Error || value instanceof DOMException;

/** The name of the class, for instances of other classes than `Object` and `Array`. */
function classOf(value: object): string {
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === "string" && name !== "Object" && name !== "Array" ? `${name} ` : "";
}

function list(opening: string, items: string[], closing: string, indent: string): string {
  if (items.length === 0) return `${opening}${closing}`;
  const line = `${opening} ${items.join(", ")} ${closing}`;
  if (line.length + indent.length <= MAX_LINE && !line.includes("\n")) return line;
  return `${opening}\n${items.map((item) => `${indent}  ${item}`).join(",\n")}\n${indent}${closing}`;
}

/** The fields of an error; those of the library's errors are in their record. */
function fieldsOf(error: Error): [string, unknown][] {
  const {
    name: _name,
    message: _message,
    stack: _stack,
    ...fields
  } = (
    "toJSON" in error && typeof error.toJSON === "function" ? error.toJSON() : { ...error, cause: error.cause }
  ) as Record<string, unknown>;
  return Object.entries(fields).filter(([, value]) => value !== undefined);
}

const keyOf = (key: string) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key));

function describeObject(value: object, indent: string, seen: readonly object[]): string {
  if (seen.includes(value)) return "[Circular]";
  const inner = (item: unknown) => describe(item, `${indent}  `, [...seen, value]);
  const pairs = (entries: [string, unknown][]) => entries.map(([key, item]) => `${keyOf(key)}: ${inner(item)}`);
  if (isError(value)) {
    const fields = fieldsOf(value);
    const text = `${value.name}: ${value.message}`;
    return fields.length === 0 ? text : `${text} ${list("{", pairs(fields), "}", indent)}`;
  }
  if (seen.length >= MAX_DEPTH) return Array.isArray(value) ? "[Array]" : `[${classOf(value).trim() || "Object"}]`;
  if (value instanceof Date) return value.toISOString();
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${classOf(value)}(${value.byteLength} bytes)`;
  if (Array.isArray(value)) {
    const more = value.length > MAX_ITEMS ? [`… ${value.length - MAX_ITEMS} more`] : [];
    return list("[", [...value.slice(0, MAX_ITEMS).map(inner), ...more], "]", indent);
  }
  if (value instanceof Map) {
    return list(
      "Map {",
      [...value].map(([key, item]) => `${inner(key)} => ${inner(item)}`),
      "}",
      indent,
    );
  }
  if (value instanceof Set) return list("Set {", [...value].map(inner), "}", indent);
  const record = "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : value;
  return list(`${classOf(value)}{`, pairs(Object.entries(record)), "}", indent);
}

function describe(value: unknown, indent: string, seen: readonly object[]): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return `[${/^class\b/.test(String(value)) ? "class" : "Function"} ${value.name}]`;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "object" && value !== null) return describeObject(value, indent, seen);
  return String(value);
}

/** A text as it is, anything else as a literal. */
export const describeValue = (value: unknown): string => (typeof value === "string" ? value : describe(value, "", []));
