import { orUndefined } from "../../json/or-undefined.js";

/** The text with its percent-encoding resolved once, or the text itself if its encoding is malformed. */
export const decoded = (text: string): string => orUndefined(() => decodeURIComponent(text)) ?? text;
