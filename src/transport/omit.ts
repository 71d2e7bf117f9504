import { isRecord } from "../json/is-record.js";

/** `options` without some of its fields. What is no object stays as it is: the call refuses it, and never throws. */
export function omit<T extends object, F extends keyof T>(options: T, ...fields: F[]): Omit<T, F> {
  if (!isRecord(options)) return options;
  return Object.fromEntries(Object.entries(options).filter(([name]) => !fields.includes(name as F))) as Omit<T, F>;
}
