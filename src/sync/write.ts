/** Reads and writes the store of a run. What fails because the store is away is waited for; what it refuses is told. */
import { abortable, throwIfAborted } from "../async/abort.js";
import type { Clock } from "../async/clock.js";
import { MINUTE_MS } from "../async/timers.js";
import { kindOf } from "../checks/format-issues.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import type { Finding } from "./examine.js";
import { type PacedClient, pauseMs } from "./paced-client.js";
import type { RunReport } from "./report.js";
import type { MeetingStore, RemovedItem, StoreBatch, StoreLock } from "./store.js";
import type { SyncPlan } from "./sync-options.js";

/** The most text of one write, in characters, unless one meeting alone has more. */
const MAX_TEXT = 8_000_000;
const MAX_ITEMS = 100;
/** A store that restarts may lose the connection of a write more than once. */
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 1_000;
/** A run that does not follow gives up after so long without the store, or without the service. */
export const GIVES_UP_MS = 10 * MINUTE_MS;

/** A store of one's own throws it; it is known by its name. */
export const isLockLost = (error: unknown): boolean => error instanceof Error && error.name === "StoreLockLostError";

/** `conflict`: another run has written the meeting in between. */
export type WriteResult = "written" | "conflict" | { readonly refusal: unknown };

interface Job {
  readonly finding: Finding;
  result?: WriteResult;
}

interface Basis {
  readonly plan: SyncPlan;
  readonly clock: Clock;
  readonly client: PacedClient;
  readonly report: RunReport;
  readonly signal: AbortSignal;
}

export class StoreAccess {
  lock: StoreLock | undefined;
  readonly #basis: Basis;
  readonly #store: MeetingStore;
  /** Whether the store has answered: one that never has is not away, but wrong. */
  #wasThere = false;
  #ready: Job[] = [];
  #writing: Promise<void> | undefined;

  constructor(basis: Basis) {
    this.#basis = basis;
    this.#store = basis.plan.into;
  }

  /** Calls the store. A connection that is lost is waited for: for ten minutes, with `follow` for ever. */
  async call<T>(work: (store: MeetingStore) => Promise<T>): Promise<T> {
    const { plan, clock, client, report, signal } = this.#basis;
    const beganAt = clock.now();
    for (let failures = 1; ; failures += 1) {
      try {
        // A store that throws at once rejects as well, and one that hangs ends with the run.
        const result = await abortable((async () => work(this.#store))(), signal);
        this.#wasThere = true;
        return result;
      } catch (error) {
        throwIfAborted(signal);
        if (isLockLost(error) || error instanceof InvalidArgumentError || !this.#wasThere) throw error;
        const ms = Math.min(MINUTE_MS, pauseMs(FIRST_PAUSE_MS, failures));
        if (!plan.follow && clock.now() + ms - beganAt >= GIVES_UP_MS) throw error;
        client.checkBudget(ms);
        report.waiting("store", ms);
        await clock.pause(ms, signal);
      }
    }
  }

  /**
   * Takes the lock of the store for this run. A lock that comes after the run was cancelled is released. Resolves to until
   * when another run holds the store; `undefined`: this run does, or the store has no lock.
   */
  async hold(): Promise<Date | undefined> {
    const { signal } = this.#basis;
    const taking = async () => this.#store.lock?.();
    const releaseLate = (lock: Awaited<ReturnType<typeof taking>>) => {
      if (lock !== undefined && "release" in lock) lock.release().catch(() => {});
    };
    const lock = await this.call(() => abortable(taking(), signal, releaseLate));
    this.lock = lock !== undefined && "release" in lock ? lock : undefined;
    return lock === undefined || "release" in lock ? undefined : lock.heldUntil;
  }

  /** Writes a finding. Findings that are ready while a write is under way are written together by the next one. */
  async write(finding: Finding): Promise<WriteResult> {
    const job: Job = { finding };
    this.#ready.push(job);
    this.#writing ??= this.#writeReady();
    await this.#writing;
    return job.result as WriteResult;
  }

  /** Writes without items, for example the state of the account. */
  async writeBatch(batch: Omit<StoreBatch, "items" | "removed">): Promise<void> {
    await this.call((store) => store.write({ ...batch, items: [], removed: [] }, this.lock));
  }

  /** Removes a meeting. `refusal`: the store refuses to. */
  async remove(one: RemovedItem): Promise<{ removed: number; refusal?: unknown }> {
    const result = await this.#tryAgain({ items: [], removed: [one] });
    return "conflicts" in result ? { removed: 1 - result.conflicts.size } : { removed: 0, ...result };
  }

  async #writeReady(): Promise<void> {
    try {
      while (this.#ready.length > 0) await this.#writeTogether(this.#takeReady());
    } finally {
      // Cleared synchronously after the last look at the queue, or a job that is queued now is never written.
      this.#writing = undefined;
    }
  }

  #takeReady(): readonly Job[] {
    let count = 0;
    let text = 0;
    for (const { finding } of this.#ready.slice(0, MAX_ITEMS)) {
      text += finding.size;
      if (count > 0 && text > MAX_TEXT) break;
      count += 1;
    }
    return this.#ready.splice(0, count);
  }

  /** If the store refuses them together, each is written for itself: it may be the content of one. */
  async #writeTogether(jobs: readonly Job[]): Promise<void> {
    const result = await this.#tryAgain({ items: jobs.map(({ finding }) => finding.item), removed: [] });
    if ("conflicts" in result) {
      for (const job of jobs) {
        job.result = result.conflicts.has(job.finding.item.id) ? "conflict" : "written";
        if (job.result === "written") await this.#basis.report.written(job.finding);
      }
      return;
    }
    for (const job of jobs) {
      if (jobs.length > 1) await this.#writeTogether([job]);
      else job.result = result;
    }
  }

  /** A store that was away, and takes the batch when it is back, has not refused it. */
  async #tryAgain(batch: StoreBatch): Promise<{ conflicts: ReadonlySet<string> } | { refusal: unknown }> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const stored: unknown = await abortable(
          (async () => this.#store.write(batch, this.lock))(),
          this.#basis.signal,
        );
        this.#wasThere = true;
        return { conflicts: conflictsOf(stored) };
      } catch (error) {
        throwIfAborted(this.#basis.signal);
        if (isLockLost(error) || error instanceof WrongStoreError) throw error;
        if (attempt === MAX_ATTEMPTS) return { refusal: error };
        // It waits until the store is there.
        await this.writeBatch({});
      }
    }
  }
}

/** The store does not keep to its interface. */
class WrongStoreError extends InvalidArgumentError {}

/** The ids to which `write` of the store resolved. A store in JavaScript may resolve to anything. */
function conflictsOf(stored: unknown): ReadonlySet<string> {
  if (Array.isArray(stored) && stored.every((id) => typeof id === "string")) return new Set(stored);
  const received = Array.isArray(stored) ? "other values in the list" : kindOf(stored);
  const message = `expected it to resolve to the list of the ids that were not written, received ${received}`;
  throw new WrongStoreError({ operation: "syncMeetings", issues: [{ path: "into.write", message }] });
}
