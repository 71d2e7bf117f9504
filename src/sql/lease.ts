/** The lock of a run: a lease in the row of the account. */
import { renewEvery } from "../async/timers.js";
import type { StoreLock } from "../sync/store/store.js";
import type { SqlRows } from "./driver.js";

/** A lease ends three minutes after its last renewal, by the clock of the database. */
const RENEW_MS = 60_000;

export class Lease implements StoreLock {
  readonly owner: string;
  readonly #end: () => Promise<unknown>;
  readonly #stopRenewing: () => void;

  /**
   * @param renew - Resolves to no row if the lease was lost.
   * @param end - Ends the lease, if it was not lost.
   */
  constructor(owner: string, renew: () => Promise<SqlRows>, end: () => Promise<unknown>) {
    this.owner = owner;
    this.#end = end;
    this.#stopRenewing = renewEvery(RENEW_MS, async () => {
      // A failure is ignored: the next renewal, or the next write, tries again.
      const rows = await renew().catch(() => undefined);
      if (rows?.length === 0) this.#stopRenewing();
    });
  }

  async release(): Promise<void> {
    this.#stopRenewing();
    await this.#end();
  }
}

/** No account has the owner of a lock that is not of a store in a database. */
export const ownerOf = (lock: StoreLock): string => (lock instanceof Lease ? lock.owner : "");
