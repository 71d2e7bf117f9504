/** `service.snapshot()` and `restore()`: everything as it was, as often as wanted. */
import { EmulatorError } from "../emulator-error.js";
import type { RecordedRequest } from "../http/recorded-request.js";
import type { State } from "../state/state.js";
import type { FaultQueue } from "./faults.js";

export interface SnapshotContent {
  state: State;
  requests: readonly RecordedRequest[];
  faults: ReturnType<FaultQueue["snapshot"]>;
}

/** What an emulator was at one moment. It belongs to that emulator. */
export interface Snapshot {
  /** The emulator's time then, in milliseconds since 1970. */
  readonly takenAt: number;
}

/** The snapshots of one emulator. */
export class Snapshots {
  readonly #contents = new WeakMap<Snapshot, SnapshotContent>();

  take({ state, requests, faults }: SnapshotContent, takenAt: number): Snapshot {
    const snapshot = Object.freeze({ takenAt });
    this.#contents.set(snapshot, { state: structuredClone(state), requests: [...requests], faults });
    return snapshot;
  }

  /** A copy of its own each time: what happens after a restore does not change the snapshot. */
  content(snapshot: Snapshot): SnapshotContent {
    const content = this.#contents.get(snapshot);
    if (content === undefined) throw new EmulatorError("restore: expected a snapshot that this emulator has taken");
    return { ...content, state: structuredClone(content.state) };
  }
}
