/** Gets the lock of a store, and waits for a run that was killed. */
import { MINUTE_MS } from "../../async/timers.js";
import type { StoreLock } from "../store/store.js";
import type { RunBasis } from "./run-basis.js";

/** A lease ends after three minutes if the run that holds it was killed. */
const LONGEST_WAIT_MS = 3 * MINUTE_MS;
const CHECK_MS = 5_000;

/** Whether to wait for another run: `killed` waits for a lease that is not renewed, `always` for every run. */
export type WaitsFor = "never" | "killed" | "always";

export type Held = { readonly lock: StoreLock | undefined } | { readonly heldUntil: Date };

export async function holdStore({ plan, clock, signal, report }: RunBasis, waits: WaitsFor): Promise<Held> {
  const endsAt = clock.now() + LONGEST_WAIT_MS;
  let first: number | undefined;
  for (;;) {
    const lock = await plan.into.lock?.();
    if (lock === undefined || "release" in lock) return { lock };
    const { heldUntil } = lock;
    first ??= heldUntil.getTime();
    const isRenewed = heldUntil.getTime() > first || clock.now() >= endsAt;
    if (waits === "never" || (waits === "killed" && isRenewed)) return { heldUntil };
    const waitMs = Math.min(CHECK_MS, Math.max(100, heldUntil.getTime() - Date.now()));
    report.waiting("store", Math.max(waitMs, heldUntil.getTime() - Date.now()));
    await clock.pause(waitMs, signal);
  }
}
