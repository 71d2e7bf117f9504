/** Which wait may request a transcript after a poll. */
import { expect, it } from "vitest";
import { TranscriptTurns } from "../../src/waiting/poll/transcript-turns.js";

const [ada, bob, eve] = [{ wait: "ada" }, { wait: "bob" }, { wait: "eve" }] as const;

it("one wait has its turn after each poll, in the order in which they came", () => {
  const turns = new TranscriptTurns();
  const after = (poll: object) => [ada, bob, eve].map((wait) => turns.take(wait, poll));
  expect([1, 2, 3, 4].map((poll) => after({ poll }))).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
    [true, false, false],
  ]);
});

it("a wait that needs no turn leaves its place to those behind it", () => {
  const turns = new TranscriptTurns();
  const first = {};
  expect(turns.take(ada, first)).toBe(true);
  expect([turns.take(bob, first), turns.take(eve, first)]).toEqual([false, false]);
  turns.leave(bob);
  expect(turns.take(eve, {})).toBe(true);
});
