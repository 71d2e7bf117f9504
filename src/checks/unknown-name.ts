/** Makes the message for an unknown name, with the known name that was probably meant. */

/** The most edits of a typing mistake: a character inserted, deleted or replaced, or two neighbours exchanged. */
const allowedEdits = (name: string) => (name.length <= 4 ? 1 : Math.floor(name.length / 3));

/** Longer names are not typing mistakes, and comparing them would take long. */
const MAX_COMPARED_LENGTH = 64;

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  let beforePrevious = previous;
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const removed = (previous[column] ?? 0) + 1;
      const inserted = (current[column - 1] ?? 0) + 1;
      const areExchanged = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const exchanged = areExchanged ? (beforePrevious[column - 2] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, removed, inserted, exchanged));
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[right.length] ?? 0;
}

/** In lower case, without separators: `timeoutMS`, `timeout_ms` and `timeoutMs` become equal. */
const simplified = (name: string) => name.toLowerCase().replaceAll(/[_\-\s]/g, "");

/** The allowed name that is most similar to `name`, or `undefined` if none differs by at most `maxEdits`. */
export function nearestName(
  name: string,
  allowed: readonly string[],
  maxEdits = allowedEdits(name),
): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  let nearest: string | undefined;
  let fewest = maxEdits + 1;
  for (const candidate of allowed) {
    const edits = editDistance(simplified(name), simplified(candidate));
    if (edits < fewest) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return nearest;
}

/** `unknown option; did you mean timeoutMs?`, or without a similar name `unknown option; expected one of …`. */
export function unknownName(name: string, allowed: readonly string[], noun = "option"): string {
  const nearest = nearestName(name, allowed);
  if (nearest !== undefined) return `unknown ${noun}; did you mean ${nearest}?`;
  if (allowed.length === 0) return `unknown ${noun}`;
  return `unknown ${noun}; expected one of ${allowed.join(", ")}`;
}
