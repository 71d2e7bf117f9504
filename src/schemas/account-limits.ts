/** How many requests an account may send: see "Limits" in the API specification. */
export const SEND_BOT_PER_MINUTE = 10;
export const SEND_BOT_PER_HOUR = 60;
export const UPLOAD_PER_MINUTE = 10;
