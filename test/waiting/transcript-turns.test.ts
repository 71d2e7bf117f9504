/** Which wait may request its transcript after a poll. */
import { expect, it } from "vitest";
import { TranscriptTurns } from "../../src/waiting/poll/transcript-turns.js";

const [ada, bob, eve] = [{ wait: "ada" }, { wait: "bob" }, { wait: "eve" }] as const;

it("after each poll one wait may request its transcript, in the order in which the waits started", () => {
  const turns = new TranscriptTurns();
  const after = (poll: object) => [ada, bob, eve].map((wait) => turns.take(wait, poll));
  expect([1, 2, 3, 4].map((poll) => after({ poll }))).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
    [true, false, false],
  ]);
});

it("a wait that does not use its turn leaves it to the next wait", () => {
  const turns = new TranscriptTurns();
  const first = {};
  expect(turns.take(ada, first)).toBe(true);
  expect([turns.take(bob, first), turns.take(eve, first)]).toEqual([false, false]);
  turns.leave(bob);
  expect(turns.take(eve, {})).toBe(true);
});
