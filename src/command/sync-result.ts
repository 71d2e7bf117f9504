import { oneLine } from "../errors/one-line.js";
import { waitsForMeeting } from "../sync/pieces.js";
import type { SyncResult } from "../sync/sync-options.js";
import { countedNoun, formatCount } from "./sync-progress.js";

const MAX_LISTED = 20;

interface Shown {
  readonly forgotten: number;
  /** Titles may be confidential, and the output of a cron job goes into logs and mails. */
  readonly withTitles: boolean;
}

export function resultText(result: SyncResult, { forgotten, withTitles }: Shown): string {
  const { ended, nextAt, notRemoved } = result;
  if (ended === "busy") return `another run holds the store, until ${nextAt.toISOString()} unless it goes on\n`;
  // A meeting that has not begun lacks its pieces as a matter of course.
  const missing = result.missing.filter((piece) => !waitsForMeeting(piece));
  const lines = missing.slice(0, MAX_LISTED).map(({ meeting_id, title, what, message, retryable }) => {
    const name = withTitles && title !== null ? `${meeting_id} (${title})` : meeting_id;
    return `missing: ${name}: ${what}: ${message}${retryable ? "; it is requested again by a later run" : ""}`;
  });
  if (missing.length > MAX_LISTED) lines.push(`and ${formatCount(missing.length - MAX_LISTED)} more are missing`);
  if (notRemoved !== undefined) lines.push(`not removed: ${notRemoved}; --prune-all removes what is marked as gone`);
  const due = missing.filter(({ retryable }) => retryable).length;
  const numbers = [
    `${countedNoun(result.meetings, "meeting")} read`,
    `${formatCount(result.changed)} changed`,
    ...(result.removed > 0 ? [`${formatCount(result.removed)} removed`] : []),
    ...(forgotten > 0 ? [`${formatCount(forgotten)} forgotten`] : []),
    `${countedNoun(result.missingCount, "piece")} missing (${formatCount(due)} due again)`,
    countedNoun(result.requests, "request"),
  ];
  return `${[...lines.map((line) => oneLine(line)), numbers.join(", ")].join("\n")}\n`;
}

export function resultJson(result: SyncResult, { forgotten, withTitles }: Shown): string {
  const missing = result.missing.map(({ title, ...piece }) => (withTitles ? { title, ...piece } : piece));
  return `${JSON.stringify({ ...result, forgotten, missing })}\n`;
}
