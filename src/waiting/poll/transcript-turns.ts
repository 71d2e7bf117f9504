/** Which wait may request a transcript that the list says nothing of. */

/**
 * If the meeting list does not tell whether a transcript is ready, it has to be requested to find out. Of all the waits
 * that share a poll, one may do so after each poll, in turn: however many they are, they make two requests a poll.
 */
export class TranscriptTurns {
  readonly #queue = new Set<object>();
  #lastPoll: object | undefined;

  /** Whether it is the turn of `wait` after this poll. If not, it keeps its place; if so, it is last from then on. */
  take(wait: object, poll: object): boolean {
    this.#queue.add(wait);
    const [first] = this.#queue;
    if (first !== wait || this.#lastPoll === poll) return false;
    this.#lastPoll = poll;
    this.#queue.delete(wait);
    return true;
  }

  /** `wait` needs no turn: it is over, or the list says what it has to know. */
  leave(wait: object): void {
    this.#queue.delete(wait);
  }
}
