/**
 * Parses a stream of server-sent events as the HTML standard says ("Interpreting an event stream"), however its text is
 * cut into chunks. Written by hand, because published parsers do not report an `id` without data. After a reconnection,
 * events would then be repeated.
 */

/** A part of a stream. `lastEventId` is the reader's position after it. */
export type StreamMessage =
  | { kind: "event"; lastEventId: string; name: string; data: string }
  /** An `id` without data. */
  | { kind: "position"; lastEventId: string }
  | { kind: "retry"; retryMs: number }
  /** An event that exceeds the limit. Nothing after it can be read. */
  | { kind: "too_large"; lastEventId: string };

/** How many characters a line may have beyond the limit for data: field names, ids and comments need some. */
const SLACK = 4_096;

const LINE_END = /[\r\n]/g;

export class EventStreamParser {
  readonly #maxChars: number;
  #messages: StreamMessage[] = [];
  /** The current line, as far as it was received. */
  #lineParts: string[] = [];
  #lineLength = 0;
  /** Whether the last line ended in CR: an LF right after it belongs to the same line end. */
  #endedInCr = false;
  #data: string[] = [];
  #dataLength = 0;
  #name = "";
  #id: string;
  /** Whether an `id` field came since the last dispatch. */
  #hasId = false;
  #isTooLarge = false;

  /**
   * @param maxEventChars - The largest data of an event, in characters (UTF-16 code units).
   * @param lastEventId - The reader's position when the stream began.
   */
  constructor(maxEventChars: number, lastEventId: string) {
    this.#maxChars = maxEventChars;
    this.#id = lastEventId;
  }

  /** The messages that `text` completes. */
  push(text: string): StreamMessage[] {
    let from = 0;
    if (this.#endedInCr && text.startsWith("\n")) from = 1;
    if (text !== "") this.#endedInCr = false;
    while (!this.#isTooLarge) {
      LINE_END.lastIndex = from;
      const match = LINE_END.exec(text);
      const end = match?.index ?? text.length;
      this.#addToLine(text.slice(from, end));
      if (match === null) break;
      this.#finishLine();
      const isCr = match[0] === "\r";
      from = isCr && text[end + 1] === "\n" ? end + 2 : end + 1;
      // The next chunk may begin with the LF. The line ends now, without waiting for that chunk.
      this.#endedInCr = isCr && end + 1 === text.length;
    }
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }

  #addToLine(part: string): void {
    if (part === "") return;
    this.#lineParts.push(part);
    this.#lineLength += part.length;
    if (this.#dataLength + this.#lineLength > this.#maxChars + SLACK) this.#stopTooLarge();
  }

  #finishLine(): void {
    const line = this.#lineParts.join("");
    this.#lineParts = [];
    this.#lineLength = 0;
    if (this.#isTooLarge) return;
    if (line === "") this.#dispatch();
    else this.#readField(line);
  }

  #readField(line: string): void {
    // A comment begins with a colon: it is a field without a name.
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const rest = colon === -1 ? "" : line.slice(colon + 1);
    const value = rest.startsWith(" ") ? rest.slice(1) : rest;
    if (name === "data") this.#addData(value);
    else if (name === "event") this.#name = value;
    else if (name === "id") this.#setId(value);
    else if (name === "retry" && /^\d+$/.test(value)) this.#messages.push({ kind: "retry", retryMs: Number(value) });
  }

  #addData(value: string): void {
    this.#data.push(value);
    // `#dispatch` joins the lines with one line end between two.
    this.#dataLength += value.length + (this.#data.length > 1 ? 1 : 0);
    if (this.#dataLength > this.#maxChars) this.#stopTooLarge();
  }

  #setId(value: string): void {
    if (value.includes("\0")) return;
    this.#id = value;
    this.#hasId = true;
  }

  #dispatch(): void {
    const lastEventId = this.#id;
    if (this.#data.length > 0) {
      this.#messages.push({ kind: "event", lastEventId, name: this.#name, data: this.#data.join("\n") });
    } else if (this.#hasId) {
      this.#messages.push({ kind: "position", lastEventId });
    }
    this.#data = [];
    this.#dataLength = 0;
    this.#name = "";
    this.#hasId = false;
  }

  #stopTooLarge(): void {
    this.#isTooLarge = true;
    this.#messages.push({ kind: "too_large", lastEventId: this.#id });
  }
}
