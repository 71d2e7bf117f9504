/** Shows how far `notetaker-sdk sync` is: one line that changes on a terminal, a line a minute elsewhere. */
import { MINUTE_MS } from "../async/timers.js";
import type { SyncProgress } from "../sync/sync-options.js";
import type { CommandOutput } from "./command.js";

export class ProgressLine {
  readonly #output: CommandOutput;
  #printed = "";
  #printedAt = Number.NEGATIVE_INFINITY;

  constructor(output: CommandOutput) {
    this.#output = output;
  }

  show(progress: SyncProgress): void {
    const { meetings, missing, requests } = progress;
    const numbers = [
      countedNoun(meetings, "meeting"),
      `${formatCount(missing)} missing`,
      countedNoun(requests, "request"),
    ];
    const line = [...numbers, ...doing(progress)].join(", ");
    const now = performance.now();
    if (this.#output.isTTY === true) this.#output.write(`\r\x1b[K${line}`);
    else if (now >= this.#printedAt + MINUTE_MS && line !== this.#printed) this.#output.write(`${line}\n`);
    else return;
    [this.#printed, this.#printedAt] = [line, now];
  }

  end(): void {
    if (this.#output.isTTY === true && this.#printed !== "") this.#output.write("\r\x1b[K");
  }
}

const WAIT_REASONS = {
  store: "for the store",
  rate_limit: "for the rate limit",
  service: "because the service fails",
} as const;

function doing({ phase, waitMs = 0, waitsFor }: SyncProgress): string[] {
  if (phase === "idle") return ["up to date"];
  return waitsFor === undefined || waitMs < 1_000 ? [] : [`waiting ${duration(waitMs)} ${WAIT_REASONS[waitsFor]}`];
}

export const formatCount = (value: number): string => value.toLocaleString("en-US");

/** For example `1 meeting`, `2,000 meetings`. */
export const countedNoun = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
