/** What `sync --keep-days` adds to `syncMeetings`: once a day, it forgets what has become too old. */
import { DAY_MS } from "../async/timers.js";
import type { Notetaker } from "../client.js";
import { forgetOlder } from "../sync/forget-meetings.js";
import { syncMeetings } from "../sync/sync-meetings.js";
import type { SyncOptions, SyncResult } from "../sync/sync-options.js";

interface Kept {
  readonly result: SyncResult;
  readonly forgotten: number;
}

export async function keepSynced(
  notetaker: Notetaker,
  options: SyncOptions,
  keepDays: number | undefined,
): Promise<Kept> {
  if (keepDays === undefined) return { result: await syncMeetings(notetaker, options), forgotten: 0 };
  const { into, follow, since } = options;
  for (let forgotten = 0; ; ) {
    const oldest = new Date(Date.now() - keepDays * DAY_MS);
    forgotten += await forgetOlder(into, oldest);
    const isLater = since !== undefined && new Date(since) > oldest;
    const kept = { ...options, since: isLater ? since : oldest };
    if (!follow) return { result: await syncMeetings(notetaker, kept), forgotten };
    // A run that follows has the store for itself, so it is ended once a day.
    const day = AbortSignal.timeout(DAY_MS);
    const signal = AbortSignal.any([day, ...(options.signal ? [options.signal] : [])]);
    await syncMeetings(notetaker, { ...kept, signal }).catch((error: unknown) => {
      if (!day.aborted || options.signal?.aborted) throw error;
    });
  }
}
