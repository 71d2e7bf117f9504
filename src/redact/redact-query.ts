/** The text that replaces a secret. */
export const REDACTED = "[redacted]";

/** Query parameters whose names suggest a secret. */
const SECRET_PARAMETERS = /([?&][\w.-]{0,64}(token|secret|passw|api.?key|signature)[\w.-]{0,64}=)[^&#\s"'`<>]*/gi;

/** Replaces the values of such parameters in `text`: `?token=[redacted]&limit=5`. */
export const redactQuery = (text: string): string => text.replace(SECRET_PARAMETERS, `$1${REDACTED}`);
