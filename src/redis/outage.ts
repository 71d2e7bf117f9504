import { callSafely, logToConsole } from "../webhooks/http/report-error.js";

/** Reports the first error of each outage of Redis. Further errors are ignored until Redis was reached again. */
export class Outage {
  readonly #report: (error: unknown) => void;
  #isReported = false;

  constructor(report: (error: unknown) => void = logToConsole) {
    this.#report = report;
  }

  failed(error: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    callSafely(() => this.#report(error));
  }

  reached(): void {
    this.#isReported = false;
  }
}
