/** Divides an input into lines of text. A line may be of any length; memory is used only for short ones. */

export interface InputLine {
  /** 1 for the first. */
  readonly number: number;
  readonly bytes: number;
  /** Without a byte order mark; `undefined` if the line is too long. */
  readonly text: string | undefined;
}

const LINE_FEED = 0x0a;

/** The lines of `input`, also the last one without a line feed at its end. */
export async function* inputLines(input: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<InputLine> {
  let number = 0;
  let bytes = 0;
  let parts: Uint8Array[] = [];
  const add = (part: Uint8Array) => {
    bytes += part.length;
    if (bytes > maxBytes) parts = [];
    else parts.push(part);
  };
  const endLine = (): InputLine => {
    // A decoder ignores a byte order mark at the beginning of what it decodes.
    const text = bytes > maxBytes ? undefined : new TextDecoder().decode(Buffer.concat(parts));
    number += 1;
    const line = { number, bytes, text };
    [bytes, parts] = [0, []];
    return line;
  };
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      add(chunk.subarray(from, end));
      yield endLine();
      from = end + 1;
    }
    add(chunk.subarray(from));
  }
  if (bytes > 0) yield endLine();
}
