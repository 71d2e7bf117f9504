/**
 * Checks that a transcript was passed. A promise of one is an object, too, but without segments: its text would be
 * empty.
 *
 * @throws TypeError
 */
export function checkTranscript(transcript: unknown): void {
  const isObject = typeof transcript === "object" && transcript !== null;
  if (isObject && !("then" in transcript)) return;
  const kind = transcript === null ? "null" : typeof transcript;
  throw new TypeError(`expected a transcript, received ${isObject ? "a promise: await it" : kind}`);
}
