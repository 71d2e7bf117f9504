import { orUndefined } from "./or-undefined.js";

/** Any value as a text. `String` throws for some, such as an object without a prototype. */
export const textOf = (value: unknown): string => orUndefined(() => String(value)) ?? typeof value;
