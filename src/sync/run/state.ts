/** What the engine remembers of an account: where its passes are, and when the last ones ended. */
import * as z from "zod/mini";
import { parseJson } from "../../json/parse-json.js";
import { listPositionShape } from "../list/list-pass.js";
import type { MeetingStore } from "../store/store.js";
import type { MeetingWriter } from "../store/writer.js";

const number = z.optional(z.number());

/** Where a reading of the list is. A poll reads what began at `fromMs` or later. */
const placeSchema = z.object({ ...listPositionShape(), beganMs: z.number(), fromMs: number });

export type ReadingPlace = Readonly<z.output<typeof placeSchema>>;

/** Times are in milliseconds since 1970. */
const stateSchema = z.object({
  v: z.literal(1),
  /** The period and the formats of the latest full pass: other ones begin a new pass. */
  scope: z.string(),
  /** When the latest full pass began that was completed; absent: the history has not been read. */
  passedMs: number,
  /** The full pass that is under way. */
  pass: z.optional(placeSchema),
  /**
   * The search for what is gone, which follows the pass. `after`: the id after which it continues. `atOnce`: how many
   * meetings are requested at once; absent: as many as possible.
   */
  search: z.optional(z.object({ after: z.optional(z.string()), beganMs: z.number(), atOnce: number })),
  /** Whether the latest full pass has shown a meeting of the store. */
  sawStored: z.boolean(),
  /** Whether there may be something that is marked as gone, and was not removed. */
  isMarked: z.boolean(),
  /** When the latest full pass ended that showed what an earlier one had stored: its account is the store's. */
  provenMs: number,
  /** When the last poll that succeeded began. */
  polledMs: number,
  /** The poll that is under way. */
  poll: z.optional(placeSchema),
  /** When this was written: if it is in the future, the clock was set back. */
  writtenMs: z.number(),
});

export type SyncState = Readonly<z.output<typeof stateSchema>>;

const NEW_STATE: SyncState = { v: 1, scope: "", sawStored: false, isMarked: false, writtenMs: 0 };

/** A text that cannot be read counts as none. */
const parseState = (text: string | undefined): SyncState =>
  z.safeParse(stateSchema, parseJson(text ?? "")).data ?? NEW_STATE;

/** The state of the account during a run. */
export class SavedState {
  /** Whether there is something to save, but not at once: a change, or when the next run has something to do. */
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

  /** `nextAt`: when there is something to do again; absent: now. */
  async save(changes: Partial<SyncState> = {}, nextAt?: Date): Promise<void> {
    this.#state = { ...this.#state, ...changes, writtenMs: Date.now() };
    await this.#writer.writeState(JSON.stringify(this.#state), nextAt ?? new Date());
    this.isChanged = nextAt === undefined;
  }
}
