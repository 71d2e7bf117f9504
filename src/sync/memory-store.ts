/** A store in memory, for tests and for programs that need no database. */
import { renewEvery } from "../async/timers.js";
import type { Document } from "../schemas/document.js";
import type { Meeting } from "../schemas/meeting.js";
import type { Transcript } from "../schemas/transcript.js";
import type { MissingPiece } from "./pieces.js";
import { type MeetingStore, type StoreItem, type StoreLock, StoreLockLostError } from "./store.js";

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

/** A runtime may stop a run and keep the store: on Workers, what a request has begun ends with it. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;

/**
 * A store that is empty at first and lasts as long as the process. It holds everything in memory.
 *
 * @example
 * const store = memoryStore();
 * await syncMeetings(notetaker, { into: store, since: "2026-01-01" });
 * for (const { meeting, transcript } of store.meetings.values()) console.log(meeting.title, transcript?.segments.length);
 */
export function memoryStore(): MemoryStore {
  const meetings = new Map<string, StoredMeeting>();
  const memories = new Map<string, Pick<StoreItem, "memory" | "dueAt">>();
  let state: string | undefined;
  let holder: (StoreLock & { heldUntil: Date }) | undefined;
  const isAsDecided = ({ id, before }: Pick<StoreItem, "id" | "before">) => memories.get(id)?.memory === before;
  return {
    meetings,
    async lock() {
      const leftMs = (holder?.heldUntil.getTime() ?? 0) - Date.now();
      // An end that is further ahead than a lease lasts is of a clock that was set back.
      if (holder !== undefined && leftMs > 0 && leftMs <= LEASE_MS) return { heldUntil: holder.heldUntil };
      // The timer of the run before remains if the process was suspended.
      void holder?.release();
      const end = () => new Date(Date.now() + LEASE_MS);
      const stopRenewing = renewEvery(RENEW_MS, () => Object.assign(lock, { heldUntil: end() }));
      const lock = {
        heldUntil: end(),
        async release() {
          stopRenewing();
          if (holder === lock) holder = undefined;
        },
      };
      holder = lock;
      return lock;
    },
    readState: async () => state,
    async readMemory(ids) {
      return new Map(ids.flatMap((id) => (memories.has(id) ? [[id, memories.get(id)?.memory ?? ""]] : [])));
    },
    async due(until, max) {
      const due: [time: number, id: string][] = [];
      for (const [id, { dueAt }] of memories) if (dueAt && dueAt <= until) due.push([dueAt.getTime(), id]);
      due.sort(([left], [right]) => left - right);
      return due.slice(0, max).map(([, id]) => id);
    },
    async ids(after, max) {
      const ids = [...memories.keys()];
      return (after === undefined ? ids : ids.filter((id) => id > after)).sort().slice(0, max);
    },
    async write(batch, lock) {
      if (lock !== undefined && lock !== holder) throw new StoreLockLostError("another run has the store");
      const conflicts = [...batch.items, ...batch.removed].filter((one) => !isAsDecided(one)).map(({ id }) => id);
      for (const item of batch.items.filter(isAsDecided)) {
        memories.set(item.id, { memory: item.memory, dueAt: item.dueAt });
        const after = withItem(meetings.get(item.id), item);
        if (after !== undefined) meetings.set(item.id, after);
      }
      for (const { id, memory } of batch.removed.filter(isAsDecided)) {
        meetings.delete(id);
        if (memory === undefined) memories.delete(id);
        else memories.set(id, { memory, dueAt: undefined });
      }
      state = batch.state ?? state;
      return conflicts;
    },
  };
}

/** `undefined`: the list does not have the meeting yet. */
function withItem(stored: StoredMeeting | undefined, item: StoreItem): StoredMeeting | undefined {
  const meeting = item.meeting ?? stored?.meeting;
  if (meeting === undefined) return undefined;
  const kept = (stored?.documents ?? []).filter(({ id }) => !item.documentsGone.includes(id));
  const documents = new Map([...kept, ...item.documents].map((one) => [JSON.stringify([one.id, one.format]), one]));
  return {
    meeting,
    transcript: item.transcript ?? stored?.transcript,
    documents: [...documents.values()],
    missing: item.missing,
    isGone: item.isGone,
  };
}
