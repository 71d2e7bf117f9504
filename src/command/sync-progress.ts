/** Shows how far `notetaker-sdk sync` is: one line that changes on a terminal, a line a minute elsewhere. */
import { MINUTE_MS } from "../async/timers.js";
import type { SyncProgress } from "../sync/sync-options.js";
import type { CommandOutput } from "./command.js";

/** The time left is not estimated from fewer meetings that were stored. */
const FEWEST_MEETINGS = 20;

export class ProgressLine {
  /** How many meetings the history has that were not read before; `undefined`: not known. */
  toRead: number | undefined;
  readonly #output: CommandOutput;
  readonly #perMinute: number;
  #sent: { at: number; requests: number }[] = [];
  /** When the history began, and how many meetings had been stored then: the poll before it has its own pace. */
  #history: { at: number; stored: number } | undefined;
  #printed = "";
  #printedAt = Number.NEGATIVE_INFINITY;

  constructor(output: CommandOutput, perMinute: number) {
    this.#output = output;
    this.#perMinute = perMinute;
  }

  show(progress: SyncProgress): void {
    const now = performance.now();
    if (progress.phase === "history") this.#history ??= { at: now, stored: progress.changed };
    if (progress.phase === "idle") this.#history = undefined;
    const line = [
      `${counted(progress.meetings, "meeting")}, ${formatCount(progress.missing)} missing`,
      `${counted(this.#requestsLeft(progress.requests, now), "request")} left this minute`,
      ...this.#doing(progress, now),
    ].join(", ");
    if (this.#output.isTTY === true) this.#output.write(`\r\x1b[K${line}`);
    else if (now >= this.#printedAt + MINUTE_MS && line !== this.#printed) this.#output.write(`${line}\n`);
    else return;
    [this.#printed, this.#printedAt] = [line, now];
  }

  /** Removes the line from a terminal. */
  end(): void {
    if (this.#output.isTTY === true && this.#printed !== "") this.#output.write("\r\x1b[K");
  }

  #requestsLeft(requests: number, now: number): number {
    this.#sent.push({ at: now, requests });
    const inMinute = this.#sent.findIndex(({ at }) => at > now - MINUTE_MS);
    // What was sent before the oldest of this minute is the base that the rest is counted from.
    this.#sent = this.#sent.slice(Math.max(0, inMinute - 1));
    const [base] = this.#sent;
    const before = base !== undefined && base.at <= now - MINUTE_MS ? base.requests : 0;
    return Math.max(0, this.#perMinute - (requests - before));
  }

  #doing({ phase, changed, waitMs = 0, waitsFor }: SyncProgress, now: number): string[] {
    if (phase === "idle") return ["up to date"];
    if (waitsFor === "store") return ["waiting for the run that holds the store"];
    const left = this.#leftMs(changed, now);
    const leaves = left === undefined ? [] : [`about ${duration(left)} left`];
    // The time that is left contains the waits for the rate limit.
    const isExpected = waitsFor === "rate_limit" && left !== undefined;
    if (waitsFor === undefined || isExpected || waitMs < 1_000) return leaves;
    const reason = waitsFor === "rate_limit" ? "for the rate limit" : "because the service fails";
    return [...leaves, `waiting ${duration(waitMs)} ${reason}`];
  }

  #leftMs(stored: number, now: number): number | undefined {
    if (this.toRead === undefined || this.#history === undefined) return undefined;
    const inHistory = stored - this.#history.stored;
    if (inHistory < FEWEST_MEETINGS) return undefined;
    return (Math.max(0, this.toRead - stored) * (now - this.#history.at)) / inHistory;
  }
}

export const formatCount = (value: number): string => value.toLocaleString("en-US");

/** For example `1 meeting`, `2,000 meetings`. */
export const counted = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
