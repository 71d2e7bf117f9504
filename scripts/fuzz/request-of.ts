/** The separator between headers and body. */
const HEADERS_END = "\n\n";

/**
 * Turns an input into headers and a body. The first lines are headers, the rest is the body. Invalid headers are left
 * out.
 */
export function requestOf(input: Buffer): { headers: Headers; body: Buffer } {
  const end = input.indexOf(HEADERS_END);
  const headers = new Headers();
  const lines = input.subarray(0, Math.max(0, end)).toString("latin1").split("\n");
  for (const line of lines) {
    const colon = line.indexOf(":");
    try {
      headers.append(line.slice(0, colon), line.slice(colon + 1));
    } catch {}
  }
  return { headers, body: end < 0 ? input : input.subarray(end + HEADERS_END.length) };
}
