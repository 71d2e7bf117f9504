/** Writes what was found. Findings that are ready while a write is under way are written together by the next one. */
import { kindOf } from "../../checks/format-issues.js";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { messageOf } from "../../errors/error-record.js";
import type { Finding } from "../meeting/finding.js";
import { type Gap, missingPiece, refusedGap } from "../meeting/pieces.js";
import type { RunBasis } from "../run/run-basis.js";
import { type StoreBatch, type StoreLock, StoreLockLostError } from "./store.js";

/** The most text of one write, in characters, unless one meeting alone has more. */
const MAX_TEXT = 8_000_000;
const MAX_ITEMS = 100;
/** How often another run may come in between before a meeting is left to it. */
const MAX_CONFLICTS = 5;

const OVERWRITTEN: Gap = {
  what: "meeting",
  reason: "failed",
  retryable: true,
  message: "other runs write this meeting again and again",
};

export const isLockLost = (error: unknown): boolean =>
  error instanceof StoreLockLostError || (error instanceof Error && error.name === "StoreLockLostError");

/** `conflict`: another run has written the meeting in between, and it is asked for anew. */
export type WriteResult = "written" | "conflict" | { readonly refusal: string };

interface Job {
  readonly finding: Finding;
  result?: WriteResult;
}

/** A write that the store did not take. */
interface Failure {
  readonly error: unknown;
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

  async write(finding: Finding): Promise<WriteResult> {
    const job: Job = { finding };
    this.#ready.push(job);
    this.#writing ??= this.#writeReady();
    await this.#writing;
    return job.result as WriteResult;
  }

  /** Writes a finding that has no parts: if the store refuses it, nothing of the meeting can be written. */
  async writeWhole(finding: Finding): Promise<void> {
    const result = await this.write(finding);
    if (typeof result === "object") this.refuse(finding, refusedGap("meeting", result.refusal));
  }

  /** Nothing of this meeting can be written. */
  refuse({ item: { id, meeting } }: Finding, gap: Gap): void {
    this.refused.add(id);
    this.#run.report.setMissing(id, [missingPiece({ id, title: meeting?.title }, gap)]);
  }

  async writeState(state: string, nextAt: Date): Promise<void> {
    await this.#send({ state, nextAt, items: [], removed: [] });
  }

  /** Resolves to how many were removed. */
  async remove(removed: StoreBatch["removed"]): Promise<number> {
    const conflicts = await this.#send({ items: [], removed });
    const count = removed.length - conflicts.size;
    this.count += count;
    return count;
  }

  async #writeReady(): Promise<void> {
    try {
      while (this.#ready.length > 0) await this.#writeTogether(this.#takeReady());
    } finally {
      // At once after the last look: a finding that is ready later would wait for a write that does not take it.
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

  /** After a failure, each finding is written for itself: it may be the content of one. */
  async #writeTogether(jobs: readonly Job[]): Promise<void> {
    const failure = await this.#tryToWrite(jobs);
    if (failure === undefined) return;
    for (const job of jobs) await this.#writeAlone(job);
  }

  /** Twice: a store that was away, and is back, has not refused the content. */
  async #writeAlone(job: Job): Promise<void> {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const failure = await this.#tryToWrite([job]);
      if (failure === undefined) return;
      const { error } = failure;
      await this.#checkStore(error);
      job.result = { refusal: `the store has refused it: ${messageOf(error)}` };
    }
  }

  /** All at once. */
  async #tryToWrite(jobs: readonly Job[]): Promise<Failure | undefined> {
    let stored: unknown;
    try {
      stored = await this.#store({ items: jobs.map(({ finding }) => finding.item), removed: [] });
    } catch (error) {
      if (isLockLost(error)) throw error;
      return { error };
    }
    const conflicts = conflictsOf(stored);
    for (const job of jobs) {
      job.result = conflicts.has(job.finding.item.id) ? "conflict" : "written";
      if (job.result === "conflict") this.#onConflict(job.finding);
      else await this.#onWritten(job.finding);
    }
    return undefined;
  }

  /** If the store takes nothing at all, the error is not of the content. */
  async #checkStore(error: unknown): Promise<void> {
    await this.#send({ items: [], removed: [] }).catch((failure) => {
      throw isLockLost(failure) ? failure : error;
    });
  }

  async #onWritten(finding: Finding): Promise<void> {
    this.count += 1;
    await this.#run.report.written(finding);
  }

  /** Another run has written the meeting in between: it is asked for anew, as if an event had named it. */
  #onConflict(finding: Finding): void {
    const { id } = finding.item;
    const count = (this.#conflicts.get(id) ?? 0) + 1;
    this.#conflicts.set(id, count);
    if (count <= MAX_CONFLICTS) this.#run.inbox.add([id]);
    else this.refuse(finding, OVERWRITTEN);
  }

  async #send(batch: StoreBatch): Promise<ReadonlySet<string>> {
    return conflictsOf(await this.#store(batch));
  }

  /** Also a store that throws at once rejects. */
  async #store(batch: StoreBatch): Promise<unknown> {
    return this.#run.plan.into.write(batch, this.#lock);
  }
}

/** The ids to which `write` of the store resolved. A store in JavaScript may resolve to anything. */
function conflictsOf(stored: unknown): ReadonlySet<string> {
  if (Array.isArray(stored) && stored.every((id) => typeof id === "string")) return new Set(stored);
  const received = Array.isArray(stored) ? "other values in the list" : kindOf(stored);
  throw new InvalidArgumentError({
    operation: "syncMeetings",
    issues: [
      {
        path: "into.write",
        message: `expected it to resolve to the list of the ids that were not written, received ${received}`,
      },
    ],
  });
}
