/** `service.snapshot()` and `service.restore()`: save the state of an emulator, and restore it any number of times. */
import { EmulatorError } from "../emulator-error.js";
import type { RecordedRequest } from "../http/requests.js";
import type { State } from "../state/state.js";
import type { FaultSnapshot } from "./faults.js";

export interface SnapshotContent {
  accounts: { state: State; faults: FaultSnapshot }[];
  /** For each token, the index of its account. */
  tokens: ReadonlyMap<string, number>;
  requests: readonly RecordedRequest[];
  faults: FaultSnapshot;
}

/** The saved state of an emulator. Only the same emulator can restore it. */
export interface Snapshot {
  /** The emulator's time when the snapshot was taken, in milliseconds since 1970. */
  readonly takenAt: number;
}

const copied = ({ accounts, tokens, requests, faults }: SnapshotContent): SnapshotContent => ({
  accounts: accounts.map((account) => ({ ...account, state: structuredClone(account.state) })),
  tokens: new Map(tokens),
  requests: [...requests],
  faults,
});

/** The snapshots of one emulator. */
export class Snapshots {
  readonly #contents = new WeakMap<Snapshot, SnapshotContent>();

  take(content: SnapshotContent, takenAt: number): Snapshot {
    const snapshot = Object.freeze({ takenAt });
    this.#contents.set(snapshot, copied(content));
    return snapshot;
  }

  /** A new copy of the content each time, so that changes after a restore do not affect the snapshot. */
  content(snapshot: Snapshot): SnapshotContent {
    const content = this.#contents.get(snapshot);
    if (content === undefined) throw new EmulatorError("restore: expected a snapshot that this emulator has taken");
    return copied(content);
  }
}
