/** The cursors that led to a page: a list in which one comes again has no end. */
export class CursorHistory {
  readonly #cursor: string | undefined;
  readonly #before: CursorHistory | undefined;

  constructor(cursor?: string, before?: CursorHistory) {
    this.#cursor = cursor;
    this.#before = before;
  }

  includes(cursor: string): boolean {
    let page: CursorHistory | undefined = this;
    while (page !== undefined && page.#cursor !== cursor) page = page.#before;
    return page !== undefined;
  }

  followedBy(cursor: string): CursorHistory {
    return new CursorHistory(cursor, this);
  }
}
