/** Reads and writes the store of a run. What fails because the store is away is waited for; what it refuses is told. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { MINUTE_MS } from "../async/timers.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import type { PacedClient } from "./paced-client.js";
import { pauseMs } from "./pauses.js";
import type { RunContext } from "./report.js";
import type { Finding } from "./rules/settle.js";
import { isLockLost, type MeetingStore, type RemovedItem, type StoreBatch, type StoreLock } from "./store.js";

/** A store that restarts may lose the connection of a write more than once. */
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 1_000;
/** A run that does not follow gives up after so long without the store, or without the service. */
export const GIVES_UP_MS = 10 * MINUTE_MS;

/** `conflict`: another run has written the meeting in between. */
type WriteResult = "written" | "conflict" | { readonly refusal: unknown };

export class StoreAccess {
  lock: StoreLock | undefined;
  readonly #context: RunContext;
  readonly #client: PacedClient;
  /** Whether the store has answered: one that never has is not away, but wrong. */
  #wasThere = false;
  #latestWrite: Promise<unknown> = Promise.resolve();

  constructor(context: RunContext, client: PacedClient) {
    this.#context = context;
    this.#client = client;
  }

  /** Calls the store. A connection that is lost is waited for: for ten minutes, with `follow` for ever. */
  async call<T>(work: (store: MeetingStore) => Promise<T>): Promise<T> {
    const { plan, clock, report, signal } = this.#context;
    const beganAt = clock.now();
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#once(work);
      } catch (error) {
        if (isLockLost(error) || error instanceof InvalidArgumentError || !this.#wasThere) throw error;
        const ms = Math.min(MINUTE_MS, pauseMs(FIRST_PAUSE_MS, failures));
        if (!plan.follow && clock.now() + ms - beganAt >= GIVES_UP_MS) throw error;
        this.#client.checkBudget(ms);
        report.waiting("store", ms);
        await clock.pause(ms, signal);
      }
    }
  }

  /** A store that throws at once rejects as well, and one that hangs ends with the run. */
  async #once<T>(work: (store: MeetingStore) => Promise<T>): Promise<T> {
    const { plan, signal } = this.#context;
    try {
      const result = await abortable((async () => work(plan.into))(), signal);
      this.#wasThere = true;
      return result;
    } catch (error) {
      throwIfAborted(signal);
      throw error;
    }
  }

  /**
   * Takes the lock of the store for this run. A lock that comes after the run was cancelled is released. Resolves to until
   * when another run holds the store; `undefined`: this run does, or the store has no lock.
   */
  async hold(): Promise<Date | undefined> {
    const { plan, signal } = this.#context;
    this.#latestWrite = Promise.resolve();
    const taking = async () => plan.into.lock?.();
    const releaseLate = (lock: Awaited<ReturnType<typeof taking>>) => {
      if (lock !== undefined && "release" in lock) lock.release().catch(() => {});
    };
    const lock = await this.call(() => abortable(taking(), signal, releaseLate));
    this.lock = lock !== undefined && "release" in lock ? lock : undefined;
    return lock === undefined || "release" in lock ? undefined : lock.heldUntil;
  }

  /** Writes the state of the account. */
  async save(batch: Omit<StoreBatch, "items" | "removed">): Promise<void> {
    await this.call((store) => store.write({ ...batch, items: [], removed: [] }, this.lock));
  }

  /** Writes a finding, and reports it. One write follows the other: a store may have a single connection. */
  write(finding: Finding): Promise<WriteResult> {
    return this.#inTurn(async () => {
      const result = await this.#write({ items: [finding.item], removed: [] });
      if (result === "written") await this.#context.report.written(finding);
      return result;
    });
  }

  remove(one: RemovedItem): Promise<WriteResult> {
    return this.#inTurn(() => this.#write({ items: [], removed: [one] }));
  }

  /** After a failure that ends the run, what waits for its turn fails as well. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const working = this.#latestWrite.then(work);
    working.catch(() => {});
    this.#latestWrite = working;
    return working;
  }

  /** A store that was away, and takes the batch when it is back, has not refused it. */
  async #write(batch: StoreBatch): Promise<WriteResult> {
    for (let attempt = 1; ; attempt += 1) {
      let conflicts: readonly string[];
      try {
        conflicts = await this.#once((store) => store.write(batch, this.lock));
      } catch (error) {
        if (this.#context.signal.aborted || isLockLost(error)) throw error;
        if (attempt === MAX_ATTEMPTS) return { refusal: error };
        // Waits until the store is there.
        await this.save({});
        continue;
      }
      checkConflicts(conflicts);
      const isWritten = conflicts.length === 0 || (attempt > 1 && (await this.#has(batch)));
      return isWritten ? "written" : "conflict";
    }
  }

  /** The store may have written all of it before the answer to an earlier attempt was lost. */
  async #has({ items, removed }: StoreBatch): Promise<boolean> {
    const all = [...items, ...removed];
    const texts = await this.call((store) => store.readMemory(all.map(({ id }) => id)));
    return all.every(({ id, memory }) => texts.get(id) === memory);
  }
}

/** A store in JavaScript may resolve to anything. */
function checkConflicts(conflicts: unknown): void {
  if (Array.isArray(conflicts)) return;
  const message = "expected it to resolve to the ids that were not written";
  throw new InvalidArgumentError({ operation: "syncMeetings", issues: [{ path: "into.write", message }] });
}
