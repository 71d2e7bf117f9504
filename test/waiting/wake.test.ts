/** `wake`: events end a pause early, and can never break a wait. */
import { WaitTimeoutError } from "notetaker-sdk";
import { expect, it, vi } from "vitest";
import { json, refusal, rejection } from "../support/recorder.js";
import { channel, ID, inTime, meeting, notFound, page, service, TRANSCRIPT, useFakeClock } from "./service.js";

useFakeClock();

const ready = (meetingId: string) => ({ kind: "meeting.transcript_ready", meetingId, payload: {} });

it("an event about the meeting ends the pause", async () => {
  const { notetaker, times } = service({ transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)) });
  const { events, state, send } = channel();
  const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
  await vi.advanceTimersByTimeAsync(1_234);
  send(ready(ID));
  expect(await call).toEqual(TRANSCRIPT);
  expect(times).toEqual([0, 1_234]);
  expect(state.closed).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it("an event about another meeting does not end the pause", async () => {
  const { notetaker, times } = service({ transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)) });
  const { events, send } = channel();
  const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
  await vi.advanceTimersByTimeAsync(1_000);
  send(ready("mtg_other"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(times).toEqual([0]);
  send(ready(ID));
  await call;
  expect(times).toEqual([0, 2_000]);
});

it("any event that may be about the meeting ends the pause", async () => {
  const events = ["look", {}, { meetingId: undefined }, { meetingId: null }, { meetingId: ID }, null, 5];
  for (const event of [...events, { kind: "meeting.initial_summary_ready", meetingId: ID }]) {
    const { notetaker, times } = service({
      transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)),
      list: () => page(meeting("processing")),
    });
    const { events, send } = channel();
    const began = Date.now();
    const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
    await vi.advanceTimersByTimeAsync(1_500);
    send(event);
    await call;
    expect(times.map((time) => time - began)).toEqual([0, 1_500]);
  }
});

it.each([1, 3])("an event during poll %i causes another poll one second later", async (poll) => {
  const answers: ((response: Response) => void)[] = [];
  const { notetaker, times } = service({
    transcript: (n) => {
      if (n === poll) return new Promise((resolve) => answers.push(resolve));
      return n < poll ? notFound() : json(TRANSCRIPT);
    },
  });
  const { events, send } = channel();
  const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
  const began = (poll - 1) * 5_000;
  await vi.advanceTimersByTimeAsync(began + 100);
  send(ready(ID));
  await vi.advanceTimersByTimeAsync(100);
  answers[0]?.(notFound());
  await vi.advanceTimersByTimeAsync(1_000);
  await call;
  expect(times.slice(-2)).toEqual([began, began + 1_200]);
});

it("an event during the request of the list causes another poll, too, of a wait that reads only the list", async () => {
  const { notetaker, times } = service({
    list: async (n) => {
      if (n > 1) return page(meeting("completed"));
      await new Promise((resolve) => setTimeout(resolve, 200));
      return page(meeting("processing"));
    },
  });
  const { events, send } = channel();
  setTimeout(() => send(ready(ID)), 100);
  await inTime(notetaker.meetings.waitForCompletion(ID, { wake: events }));
  expect(times).toEqual([0, 1_200]);
});

it("an endless stream of events causes one poll per second", async () => {
  const { notetaker, times } = service({ transcript: (n) => (n < 4 ? notFound() : json(TRANSCRIPT)) });
  async function* flood() {
    for (;;) yield ready(ID);
  }
  await inTime(notetaker.meetings.waitForTranscript(ID, { wake: flood() }));
  expect(times).toEqual([0, 1_000, 2_000, 3_000]);
});

it("an event does not shorten a Retry-After", async () => {
  const { notetaker, times } = service({
    transcript: (n) => (n < 2 ? refusal(429, "rate_limited", { "retry-after": "30" }) : json(TRANSCRIPT)),
  });
  const { events, send } = channel();
  const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
  await vi.advanceTimersByTimeAsync(1_000);
  send(ready(ID));
  await vi.advanceTimersByTimeAsync(29_000);
  await call;
  expect(times).toEqual([0, 30_000]);
});

/** An iterable with this iterator, which may be broken. */
const iterableOf = (iterator: object) => ({ [Symbol.asyncIterator]: () => iterator }) as AsyncIterable<unknown>;
const lost = () => {
  throw new Error("the relay is gone");
};
const next = () => new Promise(() => {});

it("each event about the meeting causes a poll at once, even after many polls", async () => {
  const { notetaker, times } = service({ transcript: (n) => (n < 6 ? notFound() : json(TRANSCRIPT)) });
  const { events, send } = channel();
  const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
  for (const ms of [12_000, 1_500, 1_500]) {
    await vi.advanceTimersByTimeAsync(ms);
    send(ready(ID));
  }
  await vi.advanceTimersByTimeAsync(0);
  await call;
  expect(times).toEqual([0, 5_000, 10_000, 12_000, 13_500, 15_000]);
});

it("a flood of events about other meetings does not block the rest of the program", async () => {
  vi.useRealTimers();
  const { notetaker } = service();
  async function* flood() {
    for (;;) yield ready("mtg_other");
  }
  const wait = notetaker.meetings.waitForTranscript(ID, { wake: flood(), timeoutMs: 50 });
  expect(await rejection(wait)).toBeInstanceOf(WaitTimeoutError);
});

it.each<[string, () => AsyncIterable<unknown>]>([
  ["end", async function* () {}],
  [
    "fail",
    // biome-ignore lint/correctness/useYield: the generator fails before its first event
    async function* () {
      throw new Error("the relay is gone");
    },
  ],
  ["throw when they are opened", () => ({ [Symbol.asyncIterator]: lost })],
  ["have no iterator", () => iterableOf(undefined as never)],
  ["throw when they are read", () => iterableOf({ next: lost })],
  ["return no promise", () => iterableOf({ next: () => ({ done: true }) })],
  ["return undefined", () => iterableOf({ next: () => undefined })],
  ["resolve to undefined", () => iterableOf({ next: async () => undefined })],
  ["throw when they are closed", () => iterableOf({ next, return: lost })],
  ["reject when they are closed", () => iterableOf({ next, return: async () => lost() })],
  ["return no promise when they are closed", () => iterableOf({ next, return: () => 1 })],
  ["have a return that is not a function", () => iterableOf({ next, return: 1 })],
  [
    "have a meetingId that throws",
    () =>
      iterableOf({
        next: async () => ({
          value: {
            get meetingId() {
              return lost();
            },
          },
        }),
      }),
  ],
])("the polling continues if the events %s", async (_, events) => {
  const { notetaker, times } = service({ transcript: (n) => (n < 3 ? notFound() : json(TRANSCRIPT)) });
  const { value } = await inTime(notetaker.meetings.waitForTranscript(ID, { wake: events() }));
  expect(value).toEqual(TRANSCRIPT);
  expect(times).toEqual([0, 5_000, 10_000]);
  // An unhandled rejection would fail the run.
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve, 1));
});

it("a pause longer than the longest timer causes no early poll and no warning", async () => {
  vi.useRealTimers();
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on("warning", warn);
  vi.mocked(Math.random).mockReturnValue(0.999);
  const { notetaker, counts } = service({
    list: () => refusal(429, "rate_limited", { "retry-after": "2147484" }),
  });
  const { notetaker: patient, counts: patientCounts } = service({ list: () => page(meeting("processing")) });
  const controller = new AbortController();
  const { signal } = controller;
  const timeoutMs = 2 ** 31 - 1;
  const ended = Promise.all([
    rejection(notetaker.meetings.waitForCompletion(ID, { timeoutMs, signal })),
    rejection(patient.meetings.waitForCompletion(ID, { timeoutMs, pollMs: timeoutMs, signal })),
  ]);
  await vi.waitFor(() => expect([counts.list, patientCounts.list]).toEqual([1, 1]), 60_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  controller.abort();
  await ended;
  process.off("warning", warn);
  expect([counts.list, patientCounts.list]).toEqual([1, 1]);
  expect(warnings.map(({ name }) => name)).toEqual([]);
});
