/** Divides an input into lines of text. A line may be of any length; memory is used only for short ones. */

/** One line. Of a line that is longer than the limit, only the first and the last bytes are kept. */
export interface InputLine {
  /** 1 for the first. */
  readonly number: number;
  readonly bytes: number;
  /** The text, without a byte order mark; of a line that is too long, its start and its end. */
  readonly text: string;
  readonly isTooLong: boolean;
}

const LINE_FEED = 0x0a;
/** How much of each end of a line that is too long is kept. */
const KEPT = 256;

/** A decoder ignores a byte order mark at the beginning of what it decodes. */
const lineText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

class OpenLine {
  #parts: Uint8Array[] = [];
  #start: Uint8Array | undefined;
  #bytes = 0;

  add(part: Uint8Array, maxBytes: number): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= maxBytes) return;
    const known = Buffer.concat(this.#parts);
    this.#start ??= known.subarray(0, KEPT);
    this.#parts = [known.subarray(-KEPT)];
  }

  close(number: number): InputLine {
    const end = Buffer.concat(this.#parts);
    const text = this.#start === undefined ? lineText(end) : `${lineText(this.#start)}${lineText(end)}`;
    return { number, bytes: this.#bytes, text, isTooLong: this.#start !== undefined };
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }
}

/** The lines of `input`, also the last one without a line feed at its end. */
export async function* inputLines(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<InputLine> {
  let line = new OpenLine();
  let number = 1;
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      line.add(chunk.subarray(from, end), maxBytes);
      yield line.close(number);
      line = new OpenLine();
      number += 1;
      from = end + 1;
    }
    line.add(chunk.subarray(from), maxBytes);
  }
  if (!line.isEmpty) yield line.close(number);
}
