/**
 * Decides which waiter may request its transcript if the meeting list does not show whether the transcript is ready.
 */

/**
 * If the meeting list does not show whether a transcript is ready, the waiter has to request the transcript to find
 * out. Of all waiters that share a poll, only one may do so after each poll, in turn. So they send two requests per
 * poll, whatever their number.
 */
export class TranscriptTurns {
  readonly #queue = new Set<object>();
  #lastPoll: object | undefined;

  /**
   * Whether it is the turn of `waiter` after this poll. If so, it leaves the queue, and joins the end with its next
   * call; if not, it keeps its position.
   */
  take(waiter: object, poll: object): boolean {
    this.#queue.add(waiter);
    const [first] = this.#queue;
    if (first !== waiter || this.#lastPoll === poll) return false;
    this.#lastPoll = poll;
    this.#queue.delete(waiter);
    return true;
  }

  /**
   * Removes `waiter` from the queue. Call it when the waiter has ended, or when the list shows the state of the
   * transcript.
   */
  leave(waiter: object): void {
    this.#queue.delete(waiter);
  }
}
