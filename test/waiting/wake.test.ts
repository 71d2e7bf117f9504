/** `wake`: events end a pause early, and can never break a wait. */
import { InvalidArgumentError, type Notetaker, WaitTimeoutError } from "notetaker-sdk";
import { expect, it, vi } from "vitest";
import { json, refusal, rejection } from "../support/recorder.js";
import { channel, ID, inTime, meeting, notFound, page, service, TRANSCRIPT, useFakeClock } from "./service.js";

useFakeClock();

const ready = (meetingId: string) => ({ kind: "meeting.transcript_ready", meetingId, payload: {} });

/** The transcript comes with the `poll`-th request for it. */
const withPoll =
  (poll: number, before = notFound) =>
  (n: number) =>
    n < poll ? before() : json(TRANSCRIPT);
const limited = () => refusal(429, "rate_limited", { "retry-after": "30" });
type Woken = [what: string, transcript: (n: number) => Response, sent: [ms: number, event: unknown][], polls: number[]];
const MAYBE_ABOUT_IT = ["look", {}, { meetingId: undefined }, { meetingId: null }, { meetingId: ID }, null, 5];

it.each<Woken>([
  ["about its meeting ends the pause", withPoll(2), [[1_234, ready(ID)]], [0, 1_234]],
  [
    "about another meeting does not",
    withPoll(2),
    [
      [1_000, ready("mtg_other")],
      [2_000, ready(ID)],
    ],
    [0, 2_000],
  ],
  ...[...MAYBE_ABOUT_IT, { kind: "meeting.initial_summary_ready", meetingId: ID }].map(
    (event): Woken => [
      `that may be about its meeting ends the pause: ${JSON.stringify(event)}`,
      withPoll(2),
      [[1_500, event]],
      [0, 1_500],
    ],
  ),
  ["does not shorten a Retry-After", withPoll(2, limited), [[1_000, ready(ID)]], [0, 30_000]],
  [
    "causes a poll at once, and so does the next, even after many polls",
    withPoll(6),
    [12_000, 13_500, 15_000].map((ms): [number, unknown] => [ms, ready(ID)]),
    [0, 5_000, 10_000, 12_000, 13_500, 15_000],
  ],
])("an event %s", async (_, transcript, sent, polls) => {
  const { notetaker, times } = service({ transcript, list: () => page(meeting("processing")) });
  const { events, state, send } = channel();
  for (const [ms, event] of sent) setTimeout(() => send(event), ms);
  const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
  const { value } = await inTime(call.then((transcript) => ({ transcript, timers: vi.getTimerCount() })));
  expect(value).toEqual({ transcript: TRANSCRIPT, timers: 0 });
  expect(times).toEqual(polls);
  expect(state.closed).toBe(true);
});

it.each([1, 3])("an event during poll %i causes another poll a second after it began", async (poll) => {
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
  const [first = 0, second = 0] = times.slice(-2);
  expect(first - began).toBeLessThan(10);
  expect(second - first).toBe(1_000);
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
  expect(times).toEqual([0, 1_000]);
});

it("an endless stream of events causes one poll per second", async () => {
  const { notetaker, times } = service({ transcript: withPoll(4) });
  async function* flood() {
    for (;;) yield ready(ID);
  }
  await inTime(notetaker.meetings.waitForTranscript(ID, { wake: flood() }));
  expect(times).toEqual([0, 1_000, 2_000, 3_000]);
});

/** An iterable with this iterator, which may be broken. */
const iterableOf = (iterator: object) => ({ [Symbol.asyncIterator]: () => iterator }) as AsyncIterable<unknown>;
const lost = () => {
  throw new Error("the relay is gone");
};
const next = () => new Promise(() => {});

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
  const { notetaker, times } = service({ transcript: withPoll(3) });
  const { value } = await inTime(notetaker.meetings.waitForTranscript(ID, { wake: events() }));
  expect(value).toEqual(TRANSCRIPT);
  expect(times).toEqual([0, 5_000, 10_000]);
  // An unhandled rejection would fail the run.
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve, 1));
});

it.each<[string, (meetings: Notetaker["meetings"], wake: AsyncIterable<unknown>) => Promise<unknown>]>([
  ["id", (meetings, wake) => meetings.waitForTranscript("no id", { wake })],
  ["option", (meetings, wake) => meetings.waitForCompletion(ID, { wake, pollMs: 0 })],
  ["header", (meetings, wake) => meetings.waitForDocuments(ID, { wake, headers: { authorization: "mine" } })],
  ["kind", (meetings, wake) => meetings.waitForDocument(ID, "minutes" as never, { wake })],
])("an invalid %s closes the events", async (_, wait) => {
  const { notetaker, times } = service();
  const { events, state } = channel();
  expect(await rejection(wait(notetaker.meetings, events))).toBeInstanceOf(InvalidArgumentError);
  expect([state, times]).toEqual([{ closed: true }, []]);
});

it("a pause longer than the longest timer causes no early poll and no warning", async () => {
  vi.useRealTimers();
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on("warning", warn);
  vi.mocked(Math.random).mockReturnValue(0.999);
  const { notetaker, counts } = service({ list: () => refusal(429, "rate_limited", { "retry-after": "2147484" }) });
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
