/** The state of the account during a run. */
import { parseState, type SyncState } from "./state.js";
import type { MeetingStore } from "./store.js";
import type { MeetingWriter } from "./writer.js";

export class SavedState {
  /** Whether there is something to save that need not be saved at once. */
  isChanged = false;
  #state: SyncState;
  readonly #writer: MeetingWriter;

  static async read(store: MeetingStore, writer: MeetingWriter): Promise<SavedState> {
    return new SavedState(parseState(await store.readState()), writer);
  }

  private constructor(state: SyncState, writer: MeetingWriter) {
    this.#state = state;
    this.#writer = writer;
  }

  get current(): SyncState {
    return this.#state;
  }

  change(changes: Partial<SyncState>): void {
    this.#state = { ...this.#state, ...changes };
    this.isChanged = true;
  }

  async save(changes: Partial<SyncState> = {}, nextAt = new Date()): Promise<void> {
    this.#state = { ...this.#state, ...changes, writtenMs: Date.now() };
    await this.#writer.writeState(this.#state, nextAt);
    this.isChanged = false;
  }
}
