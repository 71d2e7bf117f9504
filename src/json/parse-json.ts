/** The value that `text` holds as JSON, or `undefined` if it is not JSON (which has no `undefined` of its own). */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
