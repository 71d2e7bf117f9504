import { isRecord } from "../json/is-record.js";

/**
 * `options` without some of its fields. A value that is not an object is returned unchanged. The check of the arguments
 * then rejects the call.
 */
export function omit<T extends object, F extends keyof T>(options: T, ...fields: F[]): Omit<T, F> {
  if (!isRecord(options)) return options;
  return Object.fromEntries(Object.entries(options).filter(([name]) => !fields.includes(name as F))) as Omit<T, F>;
}
