/** Shows the progress of an export on one line, with the current meeting or the current wait. */
import { SingleBar } from "cli-progress";
import type { ExportProgress } from "notetaker-sdk/node";

const BAR = 24;

/** The line at the time `now`, at most `columns` long. */
export function line(progress: ExportProgress, waitUntil: number | undefined, now: number, columns: number): string {
  const { meetings, meetingsDone, allListed, saved, missing } = progress;
  const filled = Math.floor((BAR * meetingsDone) / Math.max(1, meetings));
  const bar = "█".repeat(filled) + "░".repeat(BAR - filled);
  const counts = [
    // The list is read page by page: until its end, the number of meetings is unknown.
    `${meetingsDone}/${meetings}${allListed ? "" : "+"} meetings`,
    `${saved} saved`,
    ...(missing > 0 ? [`${missing} missing`] : []),
  ].join(" · ");
  return [...`${bar} ${counts} · ${doing(progress, waitUntil, now)}`].slice(0, columns).join("");
}

function doing({ phase, current }: ExportProgress, waitUntil: number | undefined, now: number): string {
  if (waitUntil !== undefined && waitUntil > now)
    return `waiting ${Math.ceil((waitUntil - now) / 1000)} s for the service`;
  if (phase === "done") return "done";
  // A title may contain anything, even control sequences of a terminal.
  return current === undefined ? "reading the list" : current.replace(/\p{Cc}+/gu, " ");
}

/** Shows the line on a terminal, and nothing if the output is not a terminal. */
export function progressLine(stream: NodeJS.WriteStream = process.stderr) {
  let latest: ExportProgress | undefined;
  let waitUntil: number | undefined;
  const bar = new SingleBar({
    stream,
    hideCursor: true,
    fps: 5,
    gracefulExit: false,
    // Called for each frame, so that the seconds of a wait are counted down.
    format: () => (latest === undefined ? "" : line(latest, waitUntil, Date.now(), stream.columns || 80)),
  });
  bar.start(1, 0);
  return {
    update(progress: ExportProgress) {
      latest = progress;
      waitUntil = progress.waitMs === undefined ? undefined : Date.now() + progress.waitMs;
      bar.update(0);
    },
    stop: () => bar.stop(),
  };
}
