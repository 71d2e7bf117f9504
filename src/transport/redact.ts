/** Takes secrets out of what arrives, before it becomes part of an error: by their value, and by the fields that hold them. */

const REDACTED = "[redacted]";

/** JSON fields whose string is a secret or a key to a download, also where the text breaks off inside them. */
const SECRET_FIELDS = /("(?:secret|recording_url)"\s*:\s*")(?:[^"\\]|\\.)+/g;

/** Shorter values are no secrets, and replacing them would make nonsense of the text. */
const SHORTEST_SECRET = 4;

/** `text` without `token`, and without the contents of secret fields. */
export function redactText(text: string, token: string | undefined): string {
  const withoutFields = text.replace(SECRET_FIELDS, `$1${REDACTED}`);
  return token === undefined || token.length < SHORTEST_SECRET
    ? withoutFields
    : withoutFields.replaceAll(token, REDACTED);
}

/** `cause` itself, or a copy of its name and message when its message holds the token. */
export function redactCause(cause: unknown, token: string | undefined): unknown {
  if (!(cause instanceof Error)) return cause;
  const message = redactText(cause.message, token);
  if (message === cause.message) return cause;
  const copy = new Error(message);
  copy.name = cause.name;
  return copy;
}
