/** Each line of the log is an object of JSON, with its time in UTC: no line has a token, a secret or a transcript. */
export function log(level: "info" | "warn" | "error", message: string, about: object = {}) {
  console[level](JSON.stringify({ time: new Date().toISOString(), level, ...about, message }));
}
