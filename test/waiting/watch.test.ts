/** `meetings.watch` returns each completed meeting once and in order, across polls, runs and failures. */
import { AsyncLocalStorage } from "node:async_hooks";
import { getEventListeners } from "node:events";
import * as fc from "fast-check";
import { InvalidArgumentError, Notetaker, type WatchedMeeting, type WatchOptions } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it, vi } from "vitest";
import { runs } from "../support/property-seed.js";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";
import { delivery, meetingBody, recordingReceiver } from "../webhooks/signed-delivery.js";
import { channel, useFakeClock } from "./service.js";

useFakeClock();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse("2025-06-02T09:00:00Z");
const at = (hours: number) => new Date(START + hours * HOUR_MS).toISOString();

interface Row {
  id: string;
  status: unknown;
  start_time: unknown;
  end_time?: unknown;
  [field: string]: unknown;
}

/** A meeting of one hour that ends `endHours` after 2 June 2025, 09:00. */
const row = (id: string, endHours: number, status = "completed"): Row => ({
  id: `mtg_${id}`,
  title: id,
  status,
  source: "zoom",
  start_time: at(endHours - 1),
  end_time: status === "completed" ? at(endHours) : null,
});

/** A service with these rows, the newest first, which supports `start_date` and pages. */
function service(rows: Row[], { pageSize = 100, answer = (): Response | undefined => undefined } = {}) {
  const account = { rows };
  /** The times of the requests, in seconds. */
  const times: number[] = [];
  const client = clientOf(({ query }) => {
    times.push(Date.now() / 1_000);
    const refused = answer();
    if (refused !== undefined) return refused;
    const params = Object.fromEntries(query);
    const from = Date.parse(params.start_date ?? "1970-01-01");
    const begin = Number(params.cursor ?? 0);
    const matching = account.rows
      .filter(({ start_time }) => !(Date.parse(String(start_time)) < from))
      .sort((left, right) => (String(left.start_time) < String(right.start_time) ? 1 : -1));
    const end = begin + Math.min(pageSize, Number(params.limit ?? 25));
    const has_more = end < matching.length;
    return json({ data: matching.slice(begin, end), next_cursor: has_more ? String(end) : null, has_more });
  });
  return { ...client, account, times };
}

/** Collects the items of a watch while the timers run for `ms`, then leaves the loop. */
async function collect(notetaker: Notetaker, options: WatchOptions, ms = 0) {
  const items: WatchedMeeting[] = [];
  const controller = new AbortController();
  const done = (async () => {
    try {
      for await (const item of notetaker.meetings.watch({ ...options, signal: controller.signal })) items.push(item);
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    }
  })();
  done.catch(() => {});
  await vi.advanceTimersByTimeAsync(ms);
  // Reading many pages takes turns of the event loop that are not visible in the timers.
  for (let count = -1; count < items.length || count === -1; ) {
    count = items.length;
    for (let turn = 0; turn < 20; turn += 1) await vi.advanceTimersByTimeAsync(0);
  }
  controller.abort();
  await done;
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  return { items, names: items.map(({ meeting }) => meeting.title), last: items.at(-1)?.cursor ?? "" };
}

it("watch returns the meetings that ended at or after since, the oldest first", async () => {
  const { notetaker, seen } = service([row("c", 5), row("a", 0), row("before", -1), row("b", 3)]);
  const { names } = await collect(notetaker, { since: new Date(START) });
  expect(names).toEqual(["a", "b", "c"]);
  expect(seen.map(({ query }) => query)).toEqual([
    [
      ["start_date", "2025-05-31"],
      ["limit", "100"],
    ],
  ]);
});

it("watch uses start_time if a meeting has no valid end_time, else created_at, and returns meetings without a time", async () => {
  const times = { end_time: null, start_time: null };
  const rows = [
    ...[row("a", 2), row("b", 2.5)].map((meeting) => ({ ...meeting, end_time: null })),
    { ...row("c", 3), end_time: "soon" },
    { ...row("d", 4), start_time: at(3).replace("Z", "+00"), end_time: START },
    { ...row("e", 0), ...times, created_at: at(3.5) },
    { ...row("f", 0), ...times, created_at: at(1) },
    { ...row("g", 0), ...times },
  ];
  expect((await collect(service(rows).notetaker, { since: at(1.5) })).names).toEqual(["b", "c", "d", "e", "g"]);
});

it.each([[["b", "a", "c"]], [["a", "c", "b"]]])(
  "watch returns meetings that ended at the same time in the order of their ids: %j",
  async (ids) => {
    const { notetaker } = service(ids.map((id) => row(id, 1)));
    expect((await collect(notetaker, { since: at(0) })).names).toEqual(["a", "b", "c"]);
  },
);

it.each([
  ["no unfinished meeting", [], 100 - 48],
  ["a meeting of the last two days", [60], 100 - 48],
  ["a meeting of five days ago", [100 - 5 * 24], 100 - 5 * 24],
  ["a meeting of exactly seven days ago", [100 - 7 * 24], 100 - 7 * 24],
  ["a meeting of more than seven days ago", [100 - 7 * 24 - 1], 100 - 48],
  ["several meetings", [-100, -20, 40], -20],
])(
  "the cursor of a watch looks back two days, and seven for an unfinished meeting: %s",
  async (_, unfinished, from) => {
    vi.setSystemTime(START + 200 * HOUR_MS);
    const pending = unfinished.map((hours) => row(`p${hours}`, hours + 1, "processing"));
    const others = [
      row("old", -90),
      row("failed", -60, "failed"),
      { ...row("timeless", 0, "scheduled"), start_time: null },
    ];
    const rows = [row("newest", 100), ...pending, ...others];
    const { last } = await collect(service(rows).notetaker, { since: at(-300) });
    expect(last).toMatch(`watch1:${START + from * HOUR_MS}:`);
  },
);

it("a watch polls after pollMs, 30 seconds by default, up to 20 % earlier or later", async () => {
  for (const [random, pollMs, ms] of [
    [0, 10_000, 8_000],
    [0.999_999, 10_000, 12_000],
    [0.5, undefined, 30_000],
  ] as const) {
    vi.mocked(Math.random).mockReturnValue(random);
    const early = service([]);
    await collect(early.notetaker, { since: at(0), pollMs }, ms - 10);
    expect(early.seen).toHaveLength(1);
    const { notetaker, seen } = service([]);
    await collect(notetaker, { since: at(0), pollMs }, ms + 10);
    expect(seen).toHaveLength(2);
  }
});

it("a watch whose loop is left before it starts sends no request", async () => {
  const { notetaker, seen } = service([row("a", 0)]);
  const watch = notetaker.meetings.watch({ since: at(0) });
  expect(await watch.return?.()).toEqual({ done: true, value: undefined });
  expect(await watch.next()).toEqual({ done: true, value: undefined });
  expect(seen).toEqual([]);
});

it("a watch has a listener on the caller's signal only while it waits for a meeting", async () => {
  const { signal } = new AbortController();
  const watch = service([row("a", 0)]).notetaker.meetings.watch({ since: at(0), signal });
  await watch.next();
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await watch.return?.();
});

it("watch returns each meeting when it is completed, even if it started before a meeting that was already returned", async () => {
  const slow = row("slow", 1, "processing");
  const { notetaker, account } = service([row("a", 2), slow]);
  const finish = () => {
    account.rows = [row("a", 2), row("slow", 1), row("b", 4)];
  };
  setTimeout(finish, 45_000);
  const { names, items } = await collect(notetaker, { since: at(0) }, 70_000);
  expect(names).toEqual(["a", "slow", "b"]);
  expect((await collect(notetaker, { since: items[0]?.cursor ?? "" })).names).toEqual(["slow", "b"]);
});

it("a cursor continues after its meeting in another process, after it was stored as text", async () => {
  const rows = ["a", "b", "c", "d"].map((id, index) => row(id, index));
  const { notetaker } = service(rows);
  const { items } = await collect(notetaker, { since: at(0) });
  for (const [index, { cursor }] of items.entries()) {
    const { names } = await collect(service(rows).notetaker, { since: JSON.parse(JSON.stringify(cursor)) });
    expect(names).toEqual(["a", "b", "c", "d"].slice(index + 1));
  }
});

it("a watch returns a meeting that was completed after the previous run, if the meeting ended within the last day", async () => {
  const first = service([row("newest", 30), row("pending", -100, "processing"), row("old", 6)]);
  const { last } = await collect(first.notetaker, { since: at(-200) });
  const next = service([row("newest", 30), row("unlisted", 6.5), row("pending", -100), row("old", 6), row("new", 31)]);
  expect((await collect(next.notetaker, { since: last })).names).toEqual(["pending", "unlisted", "new"]);
});

it("a run without a new meeting can be continued from the same cursor", async () => {
  const { notetaker, account } = service([row("a", 0)]);
  const { last } = await collect(notetaker, { since: at(0) });
  expect((await collect(notetaker, { since: last }, 120_000)).names).toEqual([]);
  account.rows.push(row("b", 1));
  expect((await collect(notetaker, { since: last })).names).toEqual(["b"]);
});

it("watch returns each meeting once, whatever the order of completion and the crashes", async () => {
  const plan = fc.record({
    meetings: fc.array(
      fc.record({ endHours: fc.integer({ min: 0, max: 60 }), delayHours: fc.integer({ min: 0, max: 20 }) }),
      { minLength: 1, maxLength: 12 },
    ),
    runs: fc.array(fc.record({ atHours: fc.integer({ min: 0, max: 90 }), take: fc.integer({ min: 0, max: 6 }) }), {
      maxLength: 8,
    }),
    pageSize: fc.integer({ min: 1, max: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ meetings, runs, pageSize }) => {
      let cursor: string | Date = new Date(START);
      const returned: string[] = [];
      const times = [...runs.sort((left, right) => left.atHours - right.atHours), { atHours: 90, take: 100 }];
      for (const { atHours, take } of times) {
        const rows = meetings.flatMap(({ endHours, delayHours }, index) => {
          if (endHours > atHours) return [];
          return [row(String(index), endHours, endHours + delayHours > atHours ? "processing" : "completed")];
        });
        const { items } = await collect(service(rows, { pageSize }).notetaker, { since: cursor });
        // A run that crashes has handled its first `take` meetings.
        const dealtWith = items.slice(0, take);
        returned.push(...dealtWith.map(({ meeting }) => meeting.id));
        cursor = dealtWith.at(-1)?.cursor ?? cursor;
      }
      expect(returned.sort()).toEqual(meetings.map((_, index) => `mtg_${index}`).sort());
    }),
    { numRuns: runs(40) },
  );
});

it("watch returns a year of meetings across pages, and its cursors stay short", async () => {
  vi.setSystemTime(START + 366 * DAY_MS);
  const rows = Array.from({ length: 800 }, (_, index) => row(String(index), index * 10));
  const { items, names } = await collect(service(rows).notetaker, { since: at(0) });
  expect(names).toEqual(rows.map(({ title }) => title));
  expect(Math.max(...items.map(({ cursor }) => cursor.length))).toBeLessThan(5_000);
});

describe("a temporary failure of the list", () => {
  const limited = (seconds: number) => () => refusal(429, "rate_limited", { "retry-after": String(seconds) });
  const down = () => refusal(503, "unavailable");
  const lost = () => Promise.reject(new TypeError("fetch failed")) as never;

  it.each<[string, (() => Response)[], number[]]>([
    [
      "after five seconds, then twice as long each time, up to a minute",
      Array(6).fill(down),
      [0, 5, 15, 35, 75, 135, 195],
    ],
    ["after a lost connection, too", [lost, lost], [0, 5, 15]],
    ["after the Retry-After of the service, also a short one", [limited(90), limited(1)], [0, 90, 91]],
    ["at once after three 429s with a Retry-After of 0", Array(3).fill(limited(0)), [0, 0, 0, 0]],
    ["not at once for ever", Array(7).fill(limited(0)), [0, 0, 0, 0, 0, 0, 60, 120]],
  ])("does not end a watch, which requests the page again: %s", async (_, failures, expected) => {
    const remaining = [...failures];
    const { notetaker, times } = service([row("a", 0)], { answer: () => remaining.shift()?.() });
    expect((await collect(notetaker, { since: at(0), pollMs: 3_600_000 }, 300_000)).names).toEqual(["a"]);
    // A timer of 0 ms may take a millisecond.
    expect(times.map(Math.round)).toEqual(expected);
  });

  it("has the first pause again if a page came since the last failure", async () => {
    const rows = Array.from({ length: 4 }, (_, index) => row(String(index), index));
    const answers = [down, down, undefined, down, undefined];
    const { notetaker, seen, times } = service(rows, { pageSize: 2, answer: () => answers.shift()?.() });
    const { names } = await collect(notetaker, { since: at(0), pollMs: 3_600_000 }, 60_000);
    expect(names).toEqual(["0", "1", "2", "3"]);
    expect(times).toEqual([0, 5, 15, 15, 20]);
    const [none, second] = [undefined, "2"];
    const cursors = seen.map(({ query }) => Object.fromEntries(query).cursor);
    expect(cursors).toEqual([none, none, none, second, second]);
  });

  it("does not keep a watch that is left from ending at once", async () => {
    const { notetaker, seen } = service([], { answer: limited(60) });
    const watch = notetaker.meetings.watch({ since: at(0) });
    const pending = watch.next();
    await vi.advanceTimersByTimeAsync(10);
    await watch.return?.();
    expect(await pending).toEqual({ done: true, value: undefined });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(seen).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("a 401 ends a watch", async () => {
  const { notetaker } = service([], { answer: () => refusal(401, "unauthorized") });
  const watch = notetaker.meetings.watch({ since: at(0) });
  await expect(watch.next()).rejects.toMatchObject({ name: "UnauthorizedError" });
  expect(await watch.next()).toEqual({ done: true, value: undefined });
});

it("invalid rows do not end a watch, which returns them if they say that a meeting is completed", async () => {
  const odd = { id: "mtg_odd", status: "completed", start_time: null, title: "odd", duration: 1.5, documents: {} };
  const rows = [null, 5, { id: 7 }, odd, { ...row("b", 1), participants: [null] }] as unknown as Row[];
  const { notetaker } = clientOf(() => json({ data: rows, next_cursor: null, has_more: false }));
  const { names, last } = await collect(notetaker, { since: at(0) }, 60_000);
  expect(names).toEqual(["b", "odd"]);
  expect((await collect(notetaker, { since: last }, 60_000)).names).toEqual([]);
});

it("a meeting with an end in the future does not hide other meetings", async () => {
  const { notetaker, account } = service([row("wrong clock", 24 * 365 * 50)]);
  vi.setSystemTime(START);
  const { last } = await collect(notetaker, { since: at(0) });
  account.rows.push(row("b", 1));
  expect((await collect(notetaker, { since: last })).names).toEqual(["b"]);
});

it("leaving the loop ends the polling, as does return() during a poll", async () => {
  const { notetaker, seen } = service([row("a", 0)]);
  for await (const { meeting } of notetaker.meetings.watch({ since: at(0) })) {
    expect(meeting.id).toBe("mtg_a");
    break;
  }
  await vi.advanceTimersByTimeAsync(120_000);
  expect(seen).toHaveLength(1);

  const hanging = clientOf(() => new Promise(() => {}));
  const watch = hanging.notetaker.meetings.watch({ since: at(0) });
  const pending = watch.next();
  await vi.advanceTimersByTimeAsync(10);
  await watch.return?.();
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(hanging.seen[0]?.request.signal.aborted).toBe(true);
  expect(await watch.next()).toEqual({ done: true, value: undefined });
  expect(vi.getTimerCount()).toBe(0);
});

it("an abort rejects with its reason, between polls and between meetings", async () => {
  const reason = new Error("shutdown");
  const { notetaker } = service([row("a", 0), row("b", 1)]);
  const controller = new AbortController();
  const watch = notetaker.meetings.watch({ since: at(0), signal: controller.signal });
  expect((await watch.next()).value?.meeting.id).toBe("mtg_a");
  controller.abort(reason);
  await expect(watch.next()).rejects.toBe(reason);

  const later = new AbortController();
  const idle = service([])
    .notetaker.meetings.watch({ since: at(0), signal: later.signal })
    .next();
  setTimeout(() => later.abort(reason), 45_000);
  const settled = expect(idle).rejects.toBe(reason);
  await vi.advanceTimersByTimeAsync(45_000);
  await settled;
  expect(vi.getTimerCount()).toBe(0);
});

it("a watch with a token function goes on with another token after a 401, and each watch asks in its own context", async () => {
  const store = new AsyncLocalStorage<string>();
  const used: string[] = [];
  const { notetaker } = clientOf(
    ({ headers }) => {
      const token = `${headers.authorization}`;
      const isRefused = used.includes(token) && token.endsWith("old");
      used.push(token);
      return isRefused ? refusal(401, "unauthorized") : json({ data: [], next_cursor: null, has_more: false });
    },
    { maxRetries: 0, token: ({ rejected }) => `${store.getStore()}-${rejected ? "new" : "old"}` },
  );
  const tokens = ["old", "old", "new"];
  for (const user of ["ada", "bob"]) {
    await store.run(user, () => collect(notetaker, { since: at(0) }, 31_000));
    expect(used.filter((token) => token.includes(user))).toEqual(tokens.map((age) => `Bearer ${user}-${age}`));
  }
});

it("watch refuses invalid options before it sends a request", async () => {
  const { notetaker, seen } = service([]);
  const damaged = ["watch1:5:%E0%A4%A=;", "watch1:5:mtg_1=2", "watch1:5", "watch1:x:;"];
  for (const [options, path] of [
    [undefined, ""],
    ...[undefined, "yesterday", new Date(Number.NaN), 5, ...damaged].map((since) => [{ since }, "since"]),
    [{ since: at(0), pollMs: 0 }, "pollMs"],
    [{ since: at(0), until: at(1) }, "until"],
  ] as [WatchOptions, string][]) {
    const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.watch(options).next());
    expect(error.issues.map((issue) => issue.path)).toEqual([path]);
    expect(error.message).toMatch(/^meetings\.watch: /);
  }
  expect(seen).toEqual([]);
});

it("watch returns bots and uploads of the emulator when they are completed", async () => {
  const emulator = createEmulator();
  const notetaker = new Notetaker(emulator.clientOptions);
  const since = emulator.clock.now();
  const bot = await notetaker.meetings.sendBot({ meeting_url: "https://zoom.us/j/123456789" });
  const upload = await notetaker.meetings.upload(new Uint8Array(1_000), { contentType: "audio/wav" });
  const tick = setInterval(() => emulator.clock.advance(10_000), 30_000);
  const ids: string[] = [];
  const watching = (async () => {
    for await (const { meeting } of notetaker.meetings.watch({ since: new Date(since) })) {
      ids.push(meeting.id);
      if (ids.length === 2) return;
    }
  })();
  await vi.advanceTimersByTimeAsync(15 * 60_000);
  await watching;
  clearInterval(tick);
  expect(ids).toEqual([upload.id, bot.meeting_id]);
});

it("an event starts a poll of a watch at once, at most one a second, and the events are closed with the loop", async () => {
  const { notetaker, account, times } = service([]);
  const { events, send, state } = channel();
  const began = Date.now() / 1_000;
  const walk = notetaker.meetings.watch({ since: new Date(0), wake: events, pollMs: 600_000 });
  const first = walk.next();
  await vi.advanceTimersByTimeAsync(10_000);
  account.rows.push(row("1", 1));
  send({ kind: "meeting.transcript_ready", meetingId: "mtg_1" });
  await vi.advanceTimersByTimeAsync(0);
  expect((await first).value?.meeting.id).toBe("mtg_1");
  const second = walk.next();
  // During the pause of a second after the poll.
  send("look");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(times.map((time) => time - began)).toEqual([0, 10, 11]);
  await walk.return?.();
  expect(await second).toEqual({ done: true, value: undefined });
  expect(state.closed).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it("a delivery to a receiver starts a poll of a watch, and leaving the watch ends the receiver's events", async () => {
  const { notetaker, account, times } = service([]);
  const { receiver, send } = recordingReceiver();
  const began = Date.now() / 1_000;
  const walk = notetaker.meetings.watch({ since: new Date(0), wake: receiver.events(), pollMs: 600_000 });
  const first = walk.next();
  await vi.advanceTimersByTimeAsync(10_000);
  account.rows.push(row("1", 1));
  expect(await send(delivery())).toBe("200 handled");
  await vi.advanceTimersByTimeAsync(0);
  expect((await first).value?.meeting.id).toBe("mtg_1");
  expect(times.map((time) => time - began)).toEqual([0, 10]);
  await walk.return?.();
  expect(await send(delivery(meetingBody({ id: "mtg_2" })))).toBe("200 ignored");
});
