/** The cursors that led to a page. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CursorHistory } from "../../src/lists/cursor-history.js";

/** The histories of the pages of a walk with these cursors, from the first page on. */
function historiesOf(cursors: readonly string[]): CursorHistory[] {
  const histories = [new CursorHistory()];
  for (const cursor of cursors) histories.push(histories.at(-1)!.followedBy(cursor));
  return histories;
}

describe("CursorHistory", () => {
  it("uses different digests in each walk, so that no service can choose colliding cursors", () => {
    const digestOf = (cursor: string) => {
      const places = new Map<number, number>();
      new CursorHistory(undefined, places).followedBy(cursor);
      return [...places.keys()];
    };
    expect(digestOf("a")).not.toEqual(digestOf("a"));
  });

  it("contains exactly the cursors that led to a page, in whatever order pages are continued", () => {
    const cursors = fc.array(fc.string({ maxLength: 3 }), { maxLength: 60 });
    fc.assert(
      fc.property(cursors, cursors, fc.nat(), (first, second, at) => {
        const one = new Set(first);
        const trunk = [...one];
        const length = trunk.length === 0 ? 0 : at % trunk.length;
        const histories = historiesOf(trunk);
        const branch = trunk.slice(0, length);
        let branched = histories[length]!;
        for (const cursor of new Set(second)) {
          if (branch.includes(cursor)) continue;
          branched = branched.followedBy(cursor);
          branch.push(cursor);
        }
        for (const cursor of [...first, ...second, "not among them"]) {
          expect(histories.at(-1)!.includes(cursor)).toBe(trunk.includes(cursor));
          expect(branched.includes(cursor)).toBe(branch.includes(cursor));
          expect(histories[length]!.includes(cursor)).toBe(trunk.slice(0, length).includes(cursor));
        }
      }),
    );
  });
});
