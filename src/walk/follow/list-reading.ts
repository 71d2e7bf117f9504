/** Reads a list of meetings step by step, between other work, and again from the same page after a failure. */
import { LIST_START, type ListPlace, type MeetingPage, meetingPages } from "../meeting-list.js";
import type { MeetingClient } from "../pace.js";
import type { Period } from "../read-options.js";

/** The largest page of the list. */
export const FULL_PAGE = 100;

export class ListReading {
  /** The ids that were read, each once. */
  readonly seen: Set<string>;
  /** The page that is read next. */
  place: ListPlace;
  readonly #open: (place: ListPlace) => AsyncGenerator<MeetingPage, void, undefined>;
  #pages: AsyncGenerator<MeetingPage, void, undefined> | undefined;

  constructor(
    client: MeetingClient,
    period: Period,
    { place = LIST_START, seen = [], pageSize }: { place?: ListPlace; seen?: Iterable<string>; pageSize?: number },
    signal: AbortSignal,
  ) {
    this.place = place;
    this.seen = new Set(seen);
    this.#open = (from) => meetingPages(client, from, period, this.seen, signal, pageSize);
  }

  /** The next page; `undefined` at the end of the list. */
  async next(): Promise<MeetingPage | undefined> {
    this.#pages ??= this.#open(this.place);
    try {
      const { value } = await this.#pages.next();
      if (value) this.place = value.next;
      return value || undefined;
    } catch (error) {
      this.#pages = undefined;
      throw error;
    }
  }
}
