import { formatTime } from "notetaker-sdk/transcript";

/** Without the zeros at its beginning: `0:05`, `1:02:03`. */
export const clockOf = (seconds: number) =>
  formatTime(seconds).replace(/^(00:)?0?/, "");
