/** What `sync --keep-days` adds to `syncMeetings`: once a day, it forgets what has become too old. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { DAY_MS, MINUTE_MS, pause } from "../async/timers.js";
import type { Notetaker } from "../client.js";
import { forgetOlder, type Refusal } from "../sync/forget-meetings.js";
import { isLockLost } from "../sync/store.js";
import { syncMeetings } from "../sync/sync-meetings.js";
import type { SyncOptions, SyncResult } from "../sync/sync-options.js";

interface Kept {
  readonly result: SyncResult;
  readonly forgotten: number;
}

/** `onRefused` is called when the sync has ended, or a day of it, for each meeting that could not be forgotten. */
export async function keepSynced(
  notetaker: Notetaker,
  options: SyncOptions,
  keepDays: number | undefined,
  onRefused: (refusal: Refusal) => void,
): Promise<Kept> {
  if (keepDays === undefined) return { result: await syncMeetings(notetaker, options), forgotten: 0 };
  const { since } = options;
  for (let forgotten = 0, isFirst = true; ; isFirst = false) {
    const oldest = new Date(Date.now() - keepDays * DAY_MS);
    const older = await forgetInTime(options, oldest, isFirst);
    forgotten += older.forgotten;
    const isLater = since !== undefined && new Date(since) > oldest;
    const kept = { ...options, since: isLater ? since : oldest };
    try {
      const result = await syncDay(notetaker, kept);
      if (result !== undefined) return { result, forgotten };
    } finally {
      older.refused.forEach(onRefused);
    }
  }
}

/** With `follow`, it waits for another run that holds the store, and for a store that is away and was there before. */
async function forgetInTime({ into, follow, signal }: SyncOptions, oldest: Date, isFirst: boolean) {
  for (;;) {
    try {
      return await abortable(forgetOlder(into, oldest, signal), signal);
    } catch (error) {
      throwIfAborted(signal);
      if (!follow || (isFirst && !isLockLost(error))) throw error;
    }
    await pause(MINUTE_MS, signal);
  }
}

/** A run that follows has the store for itself, so it is ended once a day, and resolves to `undefined`. */
async function syncDay(notetaker: Notetaker, options: SyncOptions): Promise<SyncResult | undefined> {
  if (!options.follow) return syncMeetings(notetaker, options);
  const day = AbortSignal.timeout(DAY_MS);
  const signal = AbortSignal.any([day, ...(options.signal ? [options.signal] : [])]);
  return syncMeetings(notetaker, { ...options, signal }).catch((error: unknown) => {
    if (!day.aborted || options.signal?.aborted) throw error;
    return undefined;
  });
}
