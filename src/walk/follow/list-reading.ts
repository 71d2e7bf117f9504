/** Reads a list of meetings step by step, between other work, and again from the same page after a failure. */
import { type ItemPlace, type ListPlace, type MeetingPage, meetingPages } from "../../sync/meeting-list.js";
import type { FollowPlan } from "./follow-plan.js";

export class ListReading {
  /** The ids that were read, each once. */
  readonly seen: Set<string>;
  /** The page that is read next. */
  place: ListPlace;
  readonly #open: () => AsyncGenerator<MeetingPage, void, undefined>;
  #pages: AsyncGenerator<MeetingPage, void, undefined> | undefined;

  constructor({ client, period, signal }: FollowPlan, { seen, ...place }: ItemPlace, pageSize?: number) {
    this.place = place;
    this.seen = new Set(seen);
    this.#open = () => meetingPages(client, this.place, period, this.seen, signal, pageSize);
  }

  /** The next page; `undefined` at the end of the list. */
  async next(): Promise<MeetingPage | undefined> {
    this.#pages ??= this.#open();
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
