/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

/** Query parameters that are named like secrets. */
const SECRET_PARAMETERS = /([?&][\w.-]{0,64}(token|secret|passw|api.?key|signature)[\w.-]{0,64}=)[^&#\s"'`<>]*/gi;

/** `text` without the values of such parameters: `?token=[redacted]&limit=5`. */
export const redactQuery = (text: string): string => text.replace(SECRET_PARAMETERS, `$1${REDACTED}`);
