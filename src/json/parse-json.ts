/** The value of a JSON text, or `undefined` if `text` is not JSON. (No JSON text has the value `undefined`.) */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
