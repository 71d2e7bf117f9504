/** Writes what was found. Findings that are ready while a write is under way are written together by the next one. */
import type { Finding } from "./finding.js";
import type { Patience } from "./patience.js";
import { refusedMeeting, withoutContent } from "./refused-content.js";
import { formatState, type SyncState } from "./state.js";
import { type MeetingStore, type StoreBatch, type StoreLock, StoreLockLostError } from "./store.js";

/** The most text of one write, in characters, unless one meeting alone has more. */
const MAX_TEXT = 8_000_000;
const MAX_ITEMS = 100;

interface WriterOptions {
  readonly store: MeetingStore;
  readonly lock: StoreLock | undefined;
  readonly patience: Patience;
  readonly onWritten: (finding: Finding) => Promise<void>;
  /** Another run has written the meeting in between: it is to be asked for anew. */
  readonly onConflict: (id: string) => void;
}

export const isLockLost = (error: unknown): boolean =>
  error instanceof StoreLockLostError || (error instanceof Error && error.name === "StoreLockLostError");

export class MeetingWriter {
  /** How many meetings were written or removed. */
  count = 0;
  /** The meetings of which the store takes nothing. They are not tried again before the next full pass. */
  readonly refused = new Set<string>();
  readonly #options: WriterOptions;
  #ready: Finding[] = [];
  #writing: Promise<void> | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Resolves when the finding was written. */
  async write(finding: Finding): Promise<void> {
    this.#ready.push(finding);
    this.#writing ??= this.#writeReady().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async writeState(state: SyncState, nextAt: Date): Promise<void> {
    await this.#send({ state: formatState(state), nextAt, items: [], removed: [] });
  }

  /** Resolves to the ids that were removed. */
  async remove(removed: StoreBatch["removed"]): Promise<string[]> {
    const conflicts = new Set(await this.#send({ items: [], removed }));
    const ids = removed.map(({ id }) => id).filter((id) => !conflicts.has(id));
    this.count += ids.length;
    return ids;
  }

  async #writeReady(): Promise<void> {
    while (this.#ready.length > 0) {
      let count = 0;
      let text = 0;
      for (const { size } of this.#ready.slice(0, MAX_ITEMS)) {
        text += size;
        if (count > 0 && text > MAX_TEXT) break;
        count += 1;
      }
      await this.#writeTogether(this.#ready.splice(0, count));
    }
  }

  /** A write that fails is repeated twice, each finding for itself: a failure that does not come again is not of the content. */
  async #writeTogether(findings: readonly Finding[], times = 0): Promise<void> {
    const { onWritten, onConflict } = this.#options;
    let conflicts: ReadonlySet<string>;
    try {
      conflicts = new Set(await this.#send({ items: findings.map(({ item }) => item), removed: [] }));
    } catch (error) {
      if (isLockLost(error)) throw error;
      if (times === 2) return this.#writeRefused(findings[0] as Finding, error);
      // The store was away, and is back: it has not refused the content.
      if (times === 1) await this.#checkStore(error);
      for (const finding of findings) await this.#writeTogether([finding], times + 1);
      return;
    }
    for (const finding of findings) {
      if (conflicts.has(finding.item.id)) {
        onConflict(finding.item.id);
        continue;
      }
      this.count += 1;
      await onWritten(finding);
    }
  }

  /** The store does not take this meeting: its row alone, or nothing of it, if the store takes anything at all. */
  async #writeRefused(finding: Finding, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    const smaller = withoutContent(finding, message, Date.now(), this.#options.patience);
    if (smaller !== undefined) return this.#writeTogether([smaller]);
    const { id, meeting } = finding.item;
    await this.#checkStore(error);
    this.refused.add(id);
    const missing = [refusedMeeting(id, meeting?.title, message)];
    await this.#options.onWritten({ ...finding, change: undefined, missing });
  }

  /** If the store takes nothing at all, the error is not of the content. */
  async #checkStore(error: unknown): Promise<void> {
    await this.#send({ items: [], removed: [] }).catch(() => {
      throw error;
    });
  }

  #send(batch: StoreBatch): Promise<readonly string[]> {
    return this.#options.store.write(batch, this.#options.lock);
  }
}
