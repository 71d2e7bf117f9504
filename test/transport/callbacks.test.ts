/** The callback before a retry, and callbacks that reject. */
import { type ClientOptions, type LogFunction, type Notetaker, type RetryReport, ServerError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { clientOf, json, refusal, rejection, rejectionOf } from "../support/recorder.js";

const down = () => refusal(503, "unavailable");

describe("onRetry", () => {
  it("is called before each wait with the operation, the attempt, the wait in whole milliseconds and the error", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.0123);
    const onRetry = vi.fn((_: RetryReport) => {});
    const { notetaker } = clientOf(down, { onRetry });
    const error = await rejectionOf(ServerError, notetaker.webhooks.list());
    expect(onRetry.mock.calls.map(([report]) => report)).toEqual([
      { operation: "webhooks.list", attempt: 1, delayMs: 6, error: expect.any(ServerError) },
      { operation: "webhooks.list", attempt: 2, delayMs: 12, error: expect.any(ServerError) },
    ]);
    expect(error.attempts).toBe(3);
  });

  it("ends the call with the error that it throws", async () => {
    const mine = new Error("mine");
    const onRetry = () => {
      throw mine;
    };
    const { notetaker, seen } = clientOf(down, { onRetry });
    expect(await rejection(notetaker.webhooks.list())).toBe(mine);
    expect(seen).toHaveLength(1);
  });
});

type Rejecting = () => Promise<never>;
const invalid = { data: [{ id: 5 }], next_cursor: null, has_more: false };
const uploaded = { id: "mtg_1", status: "processing" };

it.each<[string, answers: unknown[], (client: (options?: ClientOptions) => Notetaker, fail: Rejecting) => unknown]>([
  ["onRetry", [503, []], (client, onRetry) => client({ onRetry, maxRetryDelayMs: 0 }).webhooks.list()],
  [
    "onThrottle",
    [[]],
    (client, onThrottle) =>
      client({ onThrottle, throttle: { acquire: async ({ onWait }) => onWait(1), pause() {} } }).webhooks.list(),
  ],
  ["onInvalid", [invalid], (client, onInvalid) => client().rooms.list({}, { onInvalid })],
  [
    "onProgress",
    [uploaded],
    (client, onProgress) => client().meetings.upload(new Uint8Array(1), { contentType: "audio/wav" }, { onProgress }),
  ],
])("a rejected promise of %s is logged, and does not change the call", async (name, answers, call) => {
  const logged: unknown[] = [];
  const logger: LogFunction = (level, _, { callback }) => void (level === "warn" && callback && logged.push(callback));
  const answer = (_: unknown, index: number) => (answers[index] === 503 ? down() : json(answers[index]));
  const client = (options: ClientOptions = {}) => clientOf(answer, { logger, ...options }).notetaker;
  await call(client, async () => Promise.reject(new Error("no more paper")));
  // An unhandled rejection would fail the run.
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(new Set(logged)).toEqual(new Set([name]));
});
