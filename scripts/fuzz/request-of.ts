/** Headers and a body from one input. */
const HEADERS_END = "\n\n";

/** The input's first lines are headers, the rest is the body. Headers that no HTTP stack lets pass are left out. */
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
