/** Writes what was found. Findings that are ready while a write is under way are written together by the next one. */
import type { Finding } from "./finding.js";
import { missingPiece } from "./pieces.js";
import type { RunBasis } from "./run-basis.js";
import { type StoreBatch, type StoreLock, StoreLockLostError } from "./store.js";

/** The most text of one write, in characters, unless one meeting alone has more. */
const MAX_TEXT = 8_000_000;
const MAX_ITEMS = 100;
/** How often another run may come in between before a meeting is left to it. */
const MAX_CONFLICTS = 5;

export const isLockLost = (error: unknown): boolean =>
  error instanceof StoreLockLostError || (error instanceof Error && error.name === "StoreLockLostError");

interface Job {
  readonly finding: Finding;
  refusal?: string;
}

export class MeetingWriter {
  /** How many meetings were written or removed. */
  count = 0;
  /** The meetings of which nothing can be written. They are not tried again before the next full pass. */
  readonly refused = new Set<string>();
  readonly #conflicts = new Map<string, number>();
  readonly #run: RunBasis;
  readonly #lock: StoreLock | undefined;
  #ready: Job[] = [];
  #writing: Promise<void> | undefined;

  constructor(run: RunBasis, lock: StoreLock | undefined) {
    this.#run = run;
    this.#lock = lock;
  }

  passBegins(): void {
    this.refused.clear();
    this.#conflicts.clear();
  }

  /** Resolves when the finding was written; to why the store refuses it, if it does. */
  async write(finding: Finding): Promise<string | undefined> {
    const job: Job = { finding };
    this.#ready.push(job);
    this.#writing ??= this.#writeReady().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
    return job.refusal;
  }

  /** Nothing of this meeting can be written. */
  refuse({ item: { id, meeting } }: Finding, message: string): void {
    this.refused.add(id);
    const gap = { what: "meeting", reason: "failed", retryable: true, message } as const;
    this.#run.report.setMissing(id, [missingPiece({ id, title: meeting?.title }, gap)]);
  }

  async writeState(state: string, nextAt: Date): Promise<void> {
    await this.#send({ state, nextAt, items: [], removed: [] });
  }

  /** Resolves to how many were removed. */
  async remove(removed: StoreBatch["removed"]): Promise<number> {
    const conflicts = await this.#send({ items: [], removed });
    const count = removed.length - conflicts.length;
    this.count += count;
    return count;
  }

  async #writeReady(): Promise<void> {
    while (this.#ready.length > 0) {
      let count = 0;
      let text = 0;
      for (const { finding } of this.#ready.slice(0, MAX_ITEMS)) {
        text += finding.size;
        if (count > 0 && text > MAX_TEXT) break;
        count += 1;
      }
      await this.#writeTogether(this.#ready.splice(0, count));
    }
  }

  async #writeTogether(jobs: readonly Job[], times = 0): Promise<void> {
    let problem: unknown;
    const items = jobs.map(({ finding }) => finding.item);
    const conflicts = await this.#send({ items, removed: [] }).catch((error: unknown) => {
      problem = error;
      return undefined;
    });
    if (conflicts === undefined) return this.#writeAgain(jobs, times, problem);
    for (const { finding } of jobs) {
      if (conflicts.includes(finding.item.id)) {
        this.#onConflict(finding);
        continue;
      }
      this.count += 1;
      await this.#run.report.written(finding);
    }
  }

  /** Twice, each finding for itself: a failure that does not come again is not of the content. */
  async #writeAgain(jobs: readonly Job[], times: number, error: unknown): Promise<void> {
    if (isLockLost(error)) throw error;
    // A store that was away, and is back, has not refused the content.
    if (times > 0) await this.#checkStore(error);
    const refusal = `the store has refused it: ${error instanceof Error ? error.message : error}`;
    for (const job of jobs) {
      if (times < 2) await this.#writeTogether([job], times + 1);
      else job.refusal = refusal;
    }
  }

  /** If the store takes nothing at all, the error is not of the content. */
  async #checkStore(error: unknown): Promise<void> {
    await this.#send({ items: [], removed: [] }).catch(() => {
      throw error;
    });
  }

  /** Another run has written the meeting in between: it is asked for anew, as if an event had named it. */
  #onConflict(finding: Finding): void {
    const { id } = finding.item;
    const count = (this.#conflicts.get(id) ?? 0) + 1;
    this.#conflicts.set(id, count);
    if (count <= MAX_CONFLICTS) this.#run.inbox.add([id]);
    else this.refuse(finding, "other runs write this meeting again and again");
  }

  async #send(batch: StoreBatch): Promise<readonly string[]> {
    return this.#run.plan.into.write(batch, this.#lock);
  }
}
