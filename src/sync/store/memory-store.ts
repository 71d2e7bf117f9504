/** A store in memory, for tests and for programs that need no database. */
import { renewEvery } from "../../async/timers.js";
import type { Document } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import type { MissingPiece } from "../meeting/pieces.js";
import {
  type HeldStore,
  type MeetingStore,
  type RemovedItem,
  type StoreBatch,
  type StoreItem,
  type StoreLock,
  StoreLockLostError,
} from "./store.js";

/** A meeting in a {@link MemoryStore}. */
export interface StoredMeeting {
  /** The row of the meeting list, as it was received. */
  readonly meeting: Meeting;
  /** `undefined` if it is missing. */
  readonly transcript: Transcript | undefined;
  /** Each document in each format. */
  readonly documents: readonly Document[];
  /** The pieces that are missing. */
  readonly missing: readonly MissingPiece[];
  /** Whether the service no longer has the meeting. */
  readonly isGone: boolean;
}

/** The store that {@link memoryStore} makes. */
export interface MemoryStore extends MeetingStore {
  /** The meetings by their ids, in the order in which they were first seen. An entry is replaced, never changed. */
  readonly meetings: ReadonlyMap<string, StoredMeeting>;
}

/**
 * How long a lock lasts without being renewed. A runtime may stop a run and keep the store: on Workers, everything that
 * a request has begun ends with the request.
 */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

class MemoryLock implements StoreLock {
  /** What other runs are told. It stays the same until the lock is renewed, so it is not computed from two clocks. */
  heldUntil = new Date(0);
  isReleased = false;
  /** The time of `performance.now()` at which the lock ends. */
  #endsAt = 0;
  readonly #stopRenewing = renewEvery(RENEW_MS, () => this.#renew());

  constructor() {
    this.#renew();
  }

  #renew(): void {
    this.heldUntil = new Date(Date.now() + LEASE_MS);
    this.#endsAt = performance.now() + LEASE_MS;
  }

  get isHeld(): boolean {
    return performance.now() < this.#endsAt;
  }

  async release(): Promise<void> {
    this.#stopRenewing();
    this.#endsAt = 0;
    this.isReleased = true;
  }
}

/**
 * A store that is empty at first and lasts as long as the process. It holds everything in memory.
 *
 * @example
 * const store = memoryStore();
 * await syncMeetings(notetaker, { into: store, since: "2026-01-01" });
 * for (const { meeting, transcript } of store.meetings.values()) console.log(meeting.title, transcript?.segments.length);
 */
export const memoryStore = (): MemoryStore => new StoreInMemory();

class StoreInMemory implements MemoryStore {
  readonly meetings = new Map<string, StoredMeeting>();
  readonly #memories = new Map<string, Pick<StoreItem, "memory" | "dueAt">>();
  #state: string | undefined;
  #holder: MemoryLock | undefined;

  async lock(): Promise<StoreLock | HeldStore> {
    if (this.#holder?.isHeld) return { heldUntil: this.#holder.heldUntil };
    // The timer of the run before remains if the process was suspended.
    void this.#holder?.release();
    this.#holder = new MemoryLock();
    return this.#holder;
  }

  async readState(): Promise<string | undefined> {
    return this.#state;
  }

  async readMemory(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const id of ids) {
      const stored = this.#memories.get(id);
      if (stored !== undefined) found.set(id, stored.memory);
    }
    return found;
  }

  async due(until: Date, max: number): Promise<readonly string[]> {
    const due: [time: number, id: string][] = [];
    for (const [id, { dueAt }] of this.#memories) if (dueAt && dueAt <= until) due.push([dueAt.getTime(), id]);
    due.sort(([left], [right]) => left - right);
    return due.slice(0, max).map(([, id]) => id);
  }

  async ids(after: string | undefined, max: number): Promise<readonly string[]> {
    const ids = [...this.#memories.keys()];
    return (after === undefined ? ids : ids.filter((id) => id > after)).sort().slice(0, max);
  }

  async write({ items, removed, state }: StoreBatch, lock: StoreLock | undefined): Promise<readonly string[]> {
    if (lock !== undefined && (lock !== this.#holder || this.#holder.isReleased))
      throw new StoreLockLostError("another run has the store");
    const isAsDecided = ({ id, before }: Pick<StoreItem, "id" | "before">) => this.#memories.get(id)?.memory === before;
    const conflicts = [...items, ...removed].filter((one) => !isAsDecided(one)).map(({ id }) => id);
    for (const item of items.filter(isAsDecided)) this.#save(item);
    for (const one of removed.filter(isAsDecided)) this.#remove(one);
    this.#state = state ?? this.#state;
    return conflicts;
  }

  #save({ id, memory, dueAt, ...item }: StoreItem): void {
    this.#memories.set(id, { memory, dueAt });
    const stored = this.meetings.get(id);
    const meeting = item.meeting ?? stored?.meeting;
    if (meeting === undefined) return;
    const kept = (stored?.documents ?? []).filter((one) => !item.documentsGone.includes(one.id));
    const documents = new Map([...kept, ...item.documents].map((one) => [JSON.stringify([one.id, one.format]), one]));
    this.meetings.set(id, {
      meeting,
      transcript: item.transcript ?? stored?.transcript,
      documents: [...documents.values()],
      missing: item.missing,
      isGone: item.isGone,
    });
  }

  #remove({ id, memory }: RemovedItem): void {
    this.meetings.delete(id);
    if (memory === undefined) this.#memories.delete(id);
    else this.#memories.set(id, { memory, dueAt: undefined });
  }
}
