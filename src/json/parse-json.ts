import { orUndefined } from "./or-undefined.js";

/** The value of a JSON text, or `undefined` if `text` is not JSON. (No JSON text has the value `undefined`.) */
export const parseJson = (text: string): unknown => orUndefined(() => JSON.parse(text));
