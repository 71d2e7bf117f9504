/** The table of docs/rate-limits.md: what happens with the 11th bot of a minute, 60 bots at once, the 61st of an hour. */
import { type ClientOptions, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { beforeEach, expect, test, vi } from "vitest";

const MINUTE = 60_000;

/** At a whole second, in which the service names the end of a limit. */
const NOW = Date.parse("2026-03-02T09:00:00Z");

beforeEach(() => void vi.useFakeTimers({ now: NOW }));

/** Sends a bot: `after(ms)` resolves to the name and outcome of its error, to "sent", or to "waits". */
function account(options: ClientOptions) {
  const service = createEmulator({ now: Date.now });
  const { meetings } = new Notetaker({ ...service.clientOptions, ...options });
  return function send() {
    let state = "waits";
    meetings.sendBot({ meeting_url: "https://zoom.us/j/123456789" }).then(
      () => {
        state = "sent";
      },
      ({ name, outcome }) => {
        state = `${name}: ${outcome}`;
      },
    );
    return async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return state;
    };
  };
}

const THROTTLE = { throttle: true } as const;
const PATIENT = { throttle: true, maxRetryDelayMs: 3_700_000 } as const;

/** The service names the end of a minute in whole seconds: at 1 ms, it is 60,999 ms away. */
const STARTS = [0, 1, 500, 999];

test.each([{}, THROTTLE, PATIENT].flatMap((options) => STARTS.map((start) => [options, start] as const)))(
  "the 11th bot of a minute is sent within a minute: %o, %i ms after a whole second",
  async (options, start) => {
    vi.setSystemTime(NOW + start);
    const send = account(options);
    for (let count = 0; count < 10; count += 1) expect(await send()(10)).toBe("sent");
    const after = send();
    expect(await after(10)).toBe("waits");
    expect(await after(MINUTE + 1_000)).toBe("sent");
  },
);

test.each([
  [{}, 30, 3],
  [THROTTLE, 60, 6],
  [PATIENT, 60, 6],
] as const)("of 60 bots at once, with %o, %i are sent within %i minutes", async (options, sent, minutes) => {
  const send = account(options);
  const all = Array.from({ length: 60 }, send);
  await vi.advanceTimersByTimeAsync(minutes * MINUTE);
  const states = await Promise.all(all.map((after) => after(0)));
  expect(states.filter((state) => state === "sent")).toHaveLength(sent);
  expect(states.filter((state) => state === "RateLimitedError: rejected")).toHaveLength(60 - sent);
});

/** The 61st bot, after 60 of them in seven minutes. */
async function sixtyFirst(options: ClientOptions) {
  const send = account(options);
  for (let count = 0; count < 60; count += 1) expect(await send()(7_000)).toBe("sent");
  return send();
}

test("the 61st bot of an hour rejects at once, also with throttle if the service has said that the hour is used up", async () => {
  expect(await (await sixtyFirst({}))(10)).toBe("RateLimitedError: rejected");
  expect(await (await sixtyFirst(THROTTLE))(10)).toBe("RateLimitedError: not_sent");
});

test("with throttle and a maxRetryDelayMs of an hour, the 61st bot is sent within an hour", async () => {
  const after = await sixtyFirst(PATIENT);
  expect(await after(50 * MINUTE)).toBe("waits");
  expect(await after(10 * MINUTE)).toBe("sent");
});
