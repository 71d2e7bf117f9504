/**
 * The progress of an export, stored in its sink as `checkpoint.json`: its plan, its position in the meeting list, and
 * the ids of the meetings so far. What is saved of a meeting is in the meeting's own record.
 */
import * as z from "zod/mini";
import { isMeetingId } from "../../schemas/ids.js";
import { custom, nonEmptyString, nullish } from "../../schemas/primitives.js";
import { LIST_START, type ListPlace, type MeetingPage } from "../reading/meeting-list.js";
import { type MissingPiece, missingShape } from "../reading/pieces.js";
import type { SinkWriter } from "../sink/sink.js";
import { STATE_FOLDER } from "../sink/sink.js";
import { readRecord } from "./meeting-records.js";

const CHECKPOINT = `${STATE_FOLDER}/checkpoint.json`;

const count = z.number().check(z.int(), z.nonnegative());
const ids = z.array(custom<string>(isMeetingId, "a meeting id"));

const checkpointSchema = z.object({
  plan: z.string(),
  cursor: nullish(nonEmptyString()),
  page: z.number().check(z.int(), z.positive()),
  done: ids,
  open: ids,
  saved: count,
  postponed: count,
  unreadable: z.array(z.object({ ...missingShape, meeting_id: z.string(), title: z.nullable(z.string()) })),
});

export class Checkpoint {
  readonly #sink: SinkWriter;
  readonly #plan: string;
  /** Whether this run resumes an unfinished one. */
  resumed = false;
  /** The page to read next. */
  place: ListPlace = LIST_START;
  /** The meetings of the pages before that one. */
  readonly done = new Set<string>();
  /** Other meetings whose records belong to this export already, and not to an earlier one. */
  readonly open = new Set<string>();
  /** How many pieces of the pages before were saved. */
  saved = 0;
  /** How many pieces of the pages before are to be tried again at the end. */
  postponed = 0;
  /** The rows without an id on the pages before. */
  unreadable: MissingPiece[] = [];

  private constructor(sink: SinkWriter, plan: string) {
    this.#sink = sink;
    this.#plan = plan;
  }

  /** Loads the checkpoint of an unfinished export with the same plan, or begins a new one. */
  static async load(sink: SinkWriter, plan: string): Promise<Checkpoint> {
    const checkpoint = new Checkpoint(sink, plan);
    const { data } = z.safeParse(checkpointSchema, await sink.readJson(CHECKPOINT));
    if (data === undefined || data.plan !== plan) return checkpoint;
    const { cursor, page, done, open, saved, postponed, unreadable } = data;
    const [first] = [...done, ...open];
    // If the folder was removed while an export wrote to it, the record of the first meeting is missing, too.
    if (first !== undefined && (await readRecord(sink, first)) === undefined) return checkpoint;
    for (const id of done) checkpoint.done.add(id);
    for (const id of open) checkpoint.open.add(id);
    return Object.assign(checkpoint, { resumed: true, place: { cursor, page }, saved, postponed, unreadable });
  }

  /** The records of these meetings belong to this export from now on. */
  async markOpen(meetingIds: Iterable<string>): Promise<void> {
    for (const id of meetingIds) this.open.add(id);
    await this.#save();
  }

  /** Everything on the page was saved, or is missing. */
  async markDone({ rows, unreadable, next }: MeetingPage): Promise<void> {
    for (const { meeting } of rows) {
      this.open.delete(meeting.id);
      this.done.add(meeting.id);
    }
    this.unreadable = [...this.unreadable, ...unreadable];
    this.place = next;
    await this.#save();
  }

  /** Goes back to the first page. What is saved stays saved. */
  restart(): void {
    for (const id of this.done) this.open.add(id);
    this.done.clear();
    Object.assign(this, { place: LIST_START, saved: 0, postponed: 0, unreadable: [] });
  }

  /** The next run begins a new export. */
  async complete(): Promise<void> {
    await this.#write({ plan: this.#plan, complete: true });
  }

  async #save(): Promise<void> {
    const { place, done, open, saved, postponed, unreadable } = this;
    await this.#write({ plan: this.#plan, ...place, done: [...done], open: [...open], saved, postponed, unreadable });
  }

  async #write(state: object): Promise<void> {
    await this.#sink.write(CHECKPOINT, Buffer.from(JSON.stringify(state)));
  }
}
