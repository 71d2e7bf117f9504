/** Small checks of plain data that name the place of each mistake. */
import type { Rule } from "./http/rules.js";

export type Found = (path: string, message: string) => void;
/** Tells what is wrong with a value at a path. */
export type Shape = (value: unknown, path: string, found: Found) => void;

const OPTIONAL = Symbol("optional");

/** A rule of the interface as a shape. */
export const checked =
  (rule: Rule): Shape =>
  (value, path, found) => {
    const finding = rule(value);
    if (finding !== undefined) found(path, finding.msg);
  };

/** A field that may be left out. */
export const optional = (shape: Shape): Shape => {
  const wrapped: Shape & { [OPTIONAL]?: true } = (value, path, found) => {
    if (value !== undefined) shape(value, path, found);
  };
  wrapped[OPTIONAL] = true;
  return wrapped;
};

const isOptional = (shape: Shape) => OPTIONAL in shape;

export const nullable =
  (shape: Shape): Shape =>
  (value, path, found) => {
    if (value !== null) shape(value, path, found);
  };

/** An object with these fields, and no others unless it is open. */
export const object =
  (fields: Record<string, Shape>, others: "closed" | "open" = "closed"): Shape =>
  (value, path, found) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      found(path, "expected an object");
      return;
    }
    const below = (key: string) => (path === "" ? key : `${path}.${key}`);
    for (const [key, shape] of Object.entries(fields)) {
      const field = (value as Record<string, unknown>)[key];
      if (field === undefined && !isOptional(shape)) found(below(key), "is missing");
      else shape(field, below(key), found);
    }
    if (others === "open") return;
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key)) {
        found(below(key), `is not known here; expected ${Object.keys(fields).join(", ")}`);
      }
    }
  };

export const list =
  (item: Shape, min = 0): Shape =>
  (value, path, found) => {
    if (!Array.isArray(value)) found(path, "expected an array");
    else if (value.length < min) found(path, `expected at least ${min}`);
    else for (const [index, one] of value.entries()) item(one, `${path}[${index}]`, found);
  };

export const oneOfThese =
  (values: readonly string[]): Shape =>
  (value, path, found) => {
    if (!values.includes(value as string)) found(path, `expected ${values.map((one) => `"${one}"`).join(", ")}`);
  };

export const integer: Shape = (value, path, found) => {
  if (!Number.isInteger(value)) found(path, "expected an integer");
};

const fromZero =
  (expected: string): Shape =>
  (value, path, found) => {
    if (typeof value !== "number" || !(value >= 0) || value === Number.POSITIVE_INFINITY) {
      found(path, `expected ${expected} from 0 up`);
    }
  };

/** Seconds from the start. */
export const seconds = fromZero("a number of seconds");

export const milliseconds = fromZero("milliseconds");

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** ISO 8601 with an offset. */
export const timestamp: Shape = (value, path, found) => {
  if (typeof value !== "string" || !TIMESTAMP.test(value) || Number.isNaN(Date.parse(value))) {
    found(path, "expected an ISO 8601 timestamp with an offset");
  }
};
