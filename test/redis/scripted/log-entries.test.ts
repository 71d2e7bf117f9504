/**
 * The commands that `redisEventLog` sends to Redis, and how it uses the answers. The server is a function of the test.
 */
import { type RedisClient, type RedisEventLogOptions, redisEventLog } from "notetaker-sdk/redis";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { APPEND, LATEST, READ } from "../../../src/redis/event-log/log-scripts.js";
import { LogWindow } from "../../../src/redis/event-log/log-window.js";
import { eventOf } from "../../webhooks/events.js";
import { never, scriptedClient, TIMERS, until } from "./scripted-client.js";

/** The name of each script by its SHA-1. */
const names = new Map<string, string>();

beforeEach(async () => {
  for (const [name, script] of Object.entries({ APPEND, LATEST, READ })) names.set(await script.sha1(), name);
  vi.useFakeTimers({ toFake: [...TIMERS] });
});
afterEach(() => {
  vi.useRealTimers();
});

const EPOCH = "0123abcd";

/** A log in an array. The numbers of its entries are 1, 2 …, or start after `first`. */
function fakeLog(options: RedisEventLogOptions = {}, first = 0) {
  const entries: [json: string, audience: string][] = [];
  const head = { epoch: EPOCH, fails: false };
  const last = () => String(first + entries.length);
  const scripts: Record<string, (...args: string[]) => unknown> = {
    APPEND(_epoch, _keepMs, _most, isNew, json = "", audience = "") {
      if (isNew === "1") head.epoch = "ffffffff";
      entries.push([json, audience]);
      return [head.epoch, last()];
    },
    LATEST: () => [head.epoch, last()],
    READ(_epoch, _keepMs, epoch, number, limit) {
      if (epoch !== head.epoch) return [head.epoch, last(), 0];
      const from = Number(number) - first;
      return [head.epoch, last(), 1, ...entries.slice(from, from + Number(limit)).flat()];
    },
  };
  const scripted = scriptedClient(([, sha1 = "", , , , ...args]) => {
    if (head.fails) throw new Error("READONLY");
    return scripts[names.get(sha1) ?? ""]?.(...args);
  });
  const ran = () => scripted.commands.map(([, sha1 = "", , , , ...args]) => [names.get(sha1), ...args]);
  return { ...scripted, log: redisEventLog(scripted.client, options), entries, head, scripts, ran };
}

describe("an entry of redisEventLog", () => {
  it("is appended with its audience, and kept with a thousand others for a day", async () => {
    const { log, ran, commands } = fakeLog();
    expect(await log.append(eventOf(1), ["usr_1"])).toBe(`${EPOCH}-1`);
    expect(await log.append(eventOf(2), undefined, "{}")).toBe(`${EPOCH}-2`);
    const epoch = expect.stringMatching(/^[0-9a-f]{8}$/);
    expect(ran()).toEqual([
      ["APPEND", epoch, "86400000", "1000", "0", JSON.stringify(eventOf(1)), '["usr_1"]'],
      ["APPEND", epoch, "86400000", "1000", "0", "{}", ""],
    ]);
    expect(commands[0]?.slice(2, 5)).toEqual(["2", "notetaker:{events}:head", "notetaker:{events}:stream"]);
  });

  it("is kept under the prefix, and for the number and time, of the options", async () => {
    const { log, ran, commands } = fakeLog({ maxEvents: 3, keepMs: 60_000, prefix: "app:" });
    await log.append(eventOf(1), undefined);
    expect(ran()[0]?.slice(2, 4)).toEqual(["60000", "3"]);
    expect(commands[0]?.slice(3, 5)).toEqual(["app:{events}:head", "app:{events}:stream"]);
  });

  it("is read after a position, in order, with its id", async () => {
    const { log, ran } = fakeLog();
    for (const number of [1, 2, 3]) await log.append(eventOf(number), number === 2 ? ["a", "b"] : undefined);
    const read = await log.after(`${EPOCH}-1`, 10);
    expect(read?.map(({ id, event, audience, json }) => ({ id, event, audience, json }))).toEqual([
      { id: `${EPOCH}-2`, event: eventOf(2), audience: ["a", "b"], json: JSON.stringify(eventOf(2)) },
      { id: `${EPOCH}-3`, event: eventOf(3), audience: undefined, json: JSON.stringify(eventOf(3)) },
    ]);
    expect(ran().at(-1)?.slice(3)).toEqual([EPOCH, "1", "10"]);
    expect(await log.after(`${EPOCH}-3`, 10)).toEqual([]);
    expect(await log.after("ffffffff-3", 10)).toBeUndefined();
    expect(await log.latestId()).toBe(`${EPOCH}-3`);
  });

  it.each([
    "",
    "x",
    EPOCH,
    `${EPOCH}-`,
    `${EPOCH}-0`,
    `${EPOCH}-01`,
    `${EPOCH}--1`,
    `${EPOCH}-1 `,
    ` ${EPOCH}-1`,
    `${EPOCH}-1x`,
    `0${EPOCH}-1`,
    "0123abc-1",
    "0123ABCD-1",
    "0123abcg-1",
    `${EPOCH}-9999999999999999`,
    `${EPOCH}-12345678901234567`,
    "not-appended",
  ])("is unknown if the log cannot have returned its id %j, and Redis is not asked", async (id) => {
    const { log, commands } = fakeLog();
    expect(await log.after(id, 10)).toBeUndefined();
    expect(commands).toEqual([]);
  });

  it("may have the largest number that an id can have", async () => {
    const { log, ran } = fakeLog();
    await log.after(`${EPOCH}-9007199254740991`, 10);
    expect(ran()[0]?.slice(3)).toEqual([EPOCH, "9007199254740991", "10"]);
  });

  it.each<[what: string, json: string, audience: string, event: object, names: string[] | undefined]>([
    ["an event that is not JSON", "{", "", { kind: "unknown", meetingId: undefined, payload: {} }, undefined],
    ["an event that is a list", "[]", "", { kind: "unknown", meetingId: undefined, payload: {} }, undefined],
    ["an audience that is not JSON", "{}", "[", {}, []],
    ["an audience that is not a list", "{}", '"usr_1"', {}, []],
    ["an audience with values that are not strings", "{}", '["usr_1",5,null]', {}, ["usr_1"]],
  ])("reaches no wrong reader if another program wrote it: %s", async (_, json, audience, event, named) => {
    const { log, entries } = fakeLog({}, 1);
    entries.push([json, audience]);
    expect(await log.after(`${EPOCH}-1`, 10)).toMatchObject([{ event, audience: named }]);
  });

  it("is unknown if Redis does not answer with a list", async () => {
    const { log, scripts } = fakeLog();
    scripts.READ = () => "OK";
    expect(await log.after(`${EPOCH}-1`, 10)).toBeUndefined();
  });

  it("is left out if Redis's answer ends inside it, and the entries before it are returned", async () => {
    const { log, scripts } = fakeLog();
    scripts.READ = () => [EPOCH, "3", 1, "{}", "", "{}"];
    expect(await log.after(`${EPOCH}-1`, 10)).toMatchObject([{ id: `${EPOCH}-2` }]);
  });
});

describe("redisEventLog, if Redis fails,", () => {
  it("rejects publish, and appends no event", async () => {
    const { log, head } = fakeLog();
    head.fails = true;
    await expect(log.append(eventOf(1), undefined)).rejects.toThrow("redisEventLog: Redis failed: READONLY");
    head.fails = false;
    expect(await log.append(eventOf(2), undefined)).toBe(`${EPOCH}-1`);
  });

  it('resolves publish if onError is "open", and starts a new log with the next event, once per outage', async () => {
    const reported: unknown[] = [];
    const { log, head, ran } = fakeLog({ onError: "open", onUnavailable: (error) => reported.push(error) });
    head.fails = true;
    expect(await log.append(eventOf(1), undefined)).toBe("not-appended");
    expect(await log.append(eventOf(2), undefined)).toBe("not-appended");
    expect(reported).toHaveLength(1);
    head.fails = false;
    expect(await log.append(eventOf(3), undefined)).toBe("ffffffff-1");
    expect(await log.append(eventOf(4), undefined)).toBe("ffffffff-2");
    expect(ran().map((command) => command[4])).toEqual(["0", "1", "1", "0"]);
    head.fails = true;
    await log.append(eventOf(5), undefined);
    expect(reported).toHaveLength(2);
  });

  it("starts a new log after a lost event even if an append that began earlier succeeds later", async () => {
    let respond = () => {};
    const { log, head, scripts, ran } = fakeLog({ onError: "open", onUnavailable: () => {} });
    const { APPEND: append } = scripts;
    scripts.APPEND = (...args) =>
      new Promise((resolve) => {
        respond = () => resolve(append?.(...args));
      });
    const slow = log.append(eventOf(1), undefined);
    await vi.waitFor(() => expect(ran()).toHaveLength(1));
    head.fails = true;
    expect(await log.append(eventOf(2), undefined)).toBe("not-appended");
    head.fails = false;
    respond();
    expect(await slow).toBe(`${EPOCH}-1`);
    if (append !== undefined) scripts.APPEND = append;
    expect(await log.append(eventOf(3), undefined)).toBe("ffffffff-2");
    expect(await log.append(eventOf(4), undefined)).toBe("ffffffff-3");
    expect(ran().map((command) => command[4])).toEqual(["0", "0", "1", "0"]);
  });
});

describe("listening to redisEventLog", () => {
  const listenTo = async (log: ReturnType<typeof fakeLog>["log"]) => {
    const changed = vi.fn();
    const broken = vi.fn();
    return { changed, broken, stop: await log.listen(changed, broken) };
  };

  it("reads the log five times a second without its own connection, and stops with the last listener", async () => {
    const { log, ran, entries } = fakeLog({}, 1);
    const first = await listenTo(log);
    const second = await listenTo(log);
    expect(ran()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(199);
    expect(ran()).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ran().at(-1)?.slice(3)).toEqual([EPOCH, "1", "200"]);
    expect(first.changed).not.toHaveBeenCalled();
    entries.push(["{}", ""]);
    await vi.advanceTimersByTimeAsync(200);
    expect([first.changed.mock.calls.length, second.changed.mock.calls.length]).toEqual([1, 1]);
    first.stop();
    entries.push(["{}", ""]);
    await vi.advanceTimersByTimeAsync(200);
    expect([first.changed.mock.calls.length, second.changed.mock.calls.length]).toEqual([1, 2]);
    second.stop();
    expect(vi.getTimerCount()).toBe(0);
    const before = ran().length;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ran()).toHaveLength(before);
    expect(second.broken).not.toHaveBeenCalled();
  });

  it("serves readers from the entries that were already read", async () => {
    const { log, ran, entries } = fakeLog({}, 1);
    const { stop } = await listenTo(log);
    entries.push(["{}", '["a"]'], ["{}", ""]);
    await vi.advanceTimersByTimeAsync(200);
    const before = ran().length;
    expect((await log.after(`${EPOCH}-1`, 1))?.map(({ id }) => id)).toEqual([`${EPOCH}-2`]);
    expect((await log.after(`${EPOCH}-2`, 10))?.map(({ id }) => id)).toEqual([`${EPOCH}-3`]);
    expect(ran()).toHaveLength(before);
    stop();
    await log.after(`${EPOCH}-2`, 10);
    expect(ran()).toHaveLength(before + 1);
  });

  it("reads waiting entries in parts of 200, and notifies the listeners after each part", async () => {
    const { log, ran, entries } = fakeLog({}, 1);
    const { changed, stop } = await listenTo(log);
    for (let number = 0; number < 400; number += 1) entries.push(["{}", ""]);
    await vi.advanceTimersByTimeAsync(200);
    expect(
      ran()
        .filter(([name]) => name === "READ")
        .map((command) => command[4]),
    ).toEqual(["1", "201", "401"]);
    expect(changed).toHaveBeenCalledTimes(2);
    stop();
  });

  it.each(["lost", "failed"])(
    "ends for all listeners if the log is %s, and starts again with the next listener",
    async (how) => {
      const { log, head } = fakeLog({}, 1);
      const first = await listenTo(log);
      const second = await listenTo(log);
      if (how === "lost") head.epoch = "ffffffff";
      else head.fails = true;
      await vi.advanceTimersByTimeAsync(200);
      const message =
        how === "lost"
          ? "the event log in Redis was lost, or has dropped events that were not read yet"
          : "redisEventLog: Redis failed: READONLY";
      for (const { broken, changed } of [first, second]) {
        expect(broken.mock.calls).toEqual([[expect.objectContaining({ message })]]);
        expect(changed).not.toHaveBeenCalled();
      }
      expect(vi.getTimerCount()).toBe(0);
      first.stop();
      head.fails = false;
      const again = await listenTo(log);
      expect(vi.getTimerCount()).toBe(1);
      again.stop();
    },
  );

  it("rejects if Redis cannot be reached, and the next listener tries again", async () => {
    const { log, head } = fakeLog();
    head.fails = true;
    await expect(listenTo(log)).rejects.toThrow("READONLY");
    expect(await log.after("x", 1)).toBeUndefined();
    head.fails = false;
    const { stop } = await listenTo(log);
    stop();
  });

  it("serves readers from Redis before it has started, or if it could not start", async () => {
    const { log, head, scripts } = fakeLog({}, 1);
    scripts.LATEST = () => {
      throw new Error("LOADING");
    };
    const listening = listenTo(log);
    const reading = log.after(`${head.epoch}-1`, 1);
    await expect(listening).rejects.toThrow("LOADING");
    expect(await reading).toEqual([]);
  });
});

describe("redisEventLog with a waiting connection", () => {
  /** A log whose client can be duplicated. The duplicate answers when the test tells it to. */
  function blockingLog() {
    const fake = fakeLog({}, 5);
    const waits: { command: readonly string[]; answer: (reply?: unknown) => void; fail: (error: Error) => void }[] = [];
    const own = {
      on() {},
      connect: vi.fn(async () => {}),
      destroy: vi.fn(),
      sendCommand: (command: readonly string[]) =>
        new Promise((resolve, reject) => waits.push({ command, answer: resolve, fail: reject })),
    };
    const client = Object.assign(Object.create(fake.client), { duplicate: () => own }) as RedisClient;
    return { ...fake, log: redisEventLog(client), waits, own };
  }

  it("reads the log when the connection reports new entries, and then waits again", async () => {
    const { log, waits, entries, ran, own } = blockingLog();
    const changed = vi.fn();
    const stop = await log.listen(changed, () => expect.fail("broken"));
    await until(() => waits.length === 1);
    expect(waits[0]?.command).toEqual([
      "XREAD",
      "BLOCK",
      "3000",
      "COUNT",
      "1",
      "STREAMS",
      "notetaker:{events}:stream",
      "5-0",
    ]);
    entries.push(["{}", ""]);
    waits[0]?.answer();
    await until(() => waits.length === 2);
    expect(changed).toHaveBeenCalledTimes(1);
    expect(waits[1]?.command.at(-1)).toBe("6-0");
    expect(ran().map(([name]) => name)).toEqual(["LATEST", "READ"]);
    // No new entry was reported: the newest id is read anyway, because the log may have been flushed.
    waits[1]?.answer(null);
    await until(() => waits.length === 3);
    expect(changed).toHaveBeenCalledTimes(1);
    expect(ran()).toHaveLength(3);
    stop();
    expect(own.destroy).toHaveBeenCalledOnce();
    expect(own.connect).toHaveBeenCalledOnce();
  });

  it("ends the log if a wait does not end within 6 seconds", async () => {
    const { log, waits, own } = blockingLog();
    const broken = vi.fn();
    await log.listen(() => {}, broken);
    await until(() => waits.length === 1);
    await vi.advanceTimersByTimeAsync(5_999);
    expect(broken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(broken.mock.calls).toEqual([
      [expect.objectContaining({ message: "redisEventLog: Redis did not answer within 6000 ms" })],
    ]);
    expect(own.destroy).toHaveBeenCalledOnce();
  });

  it("ignores a lost connection if it has no listener left", async () => {
    const { log, waits } = blockingLog();
    const broken = vi.fn();
    const stop = await log.listen(() => {}, broken);
    await until(() => waits.length === 1);
    stop();
    waits[0]?.fail(new Error("closed"));
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(broken).not.toHaveBeenCalled();
  });

  it("closes a connection that opens after the time limit, and rejects the listener", async () => {
    const { log, own } = blockingLog();
    let open = () => {};
    own.connect.mockImplementation(() => new Promise<void>((resolve) => (open = resolve)));
    const listening = Promise.resolve(
      log.listen(
        () => {},
        () => {},
      ),
    ).catch((error: unknown) => error);
    await until(() => own.connect.mock.calls.length === 1);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await listening).toMatchObject({ message: "redisEventLog: Redis did not answer within 3000 ms" });
    expect(own.destroy).not.toHaveBeenCalled();
    open();
    await until(() => own.destroy.mock.calls.length === 1);
  });
});

describe("the entries that a process keeps", () => {
  const entriesOf = (count: number, json?: string) =>
    Array.from({ length: count }, (_, index) => ({
      id: String(index),
      event: eventOf(index),
      audience: undefined,
      json,
    }));
  const at = (number: number, epoch = EPOCH) => ({ epoch, number });

  it("can be read from the position at which the process started", () => {
    const window = new LogWindow(at(10));
    window.add(entriesOf(3, "{}"));
    expect(window.end).toEqual(at(13));
    expect(window.after(at(9), 5)).toBeUndefined();
    expect(window.after(at(10), 5)).toHaveLength(3);
    expect(window.after(at(11), 1)).toHaveLength(1);
    expect(window.after(at(12), 5)).toHaveLength(1);
    expect(window.after(at(13), 5)).toEqual([]);
    expect(window.after(at(14), 5)).toBeUndefined();
    expect(window.after(at(12, "ffffffff"), 5)).toBeUndefined();
  });

  it("are at most 1,000", () => {
    const window = new LogWindow(at(0));
    window.add(entriesOf(1_000));
    expect(window.after(at(0), 1)).toHaveLength(1);
    window.add(entriesOf(1));
    expect(window.after(at(0), 1)).toBeUndefined();
    expect(
      window
        .after(at(1), 2_000)
        ?.map(({ id }) => id)
        .slice(0, 2),
    ).toEqual(["1", "2"]);
    expect(window.after(at(1), 2_000)).toHaveLength(1_000);
  });

  it("have at most 4,000,000 characters in all", () => {
    const window = new LogWindow(at(0));
    const million = "x".repeat(1_000_000);
    window.add(entriesOf(4, million));
    expect(window.after(at(0), 10)).toHaveLength(4);
    window.add(entriesOf(1, "x"));
    expect(window.after(at(0), 10)).toBeUndefined();
    expect(window.after(at(1), 10)).toHaveLength(4);
    window.add(entriesOf(2, million));
    expect(window.after(at(2), 10)).toBeUndefined();
    expect(window.after(at(3), 10)).toHaveLength(4);
  });
});

it.each<[options: object, message: string]>([
  [{ maxEvents: 0 }, "maxEvents: expected a whole number from 1 to 2147483647, received 0"],
  [{ keepMs: "1" }, 'keepMs: expected a whole number from 1 to 2147483647, received "1"'],
  [{ prefix: " " }, "prefix: expected a non-empty string without { and }, received "],
  [{ keepms: 5 }, "keepms: unknown option; did you mean keepMs?"],
])("an invalid option of redisEventLog causes a ConfigurationError: %j", (options, message) => {
  const { client } = scriptedClient(never);
  expect(() => redisEventLog(client, options)).toThrow(ConfigurationError);
  expect(() => redisEventLog(client, options)).toThrow(`redisEventLog: ${message}`);
});

it('redisEventLog refuses a value that is not a client, and accepts onError "closed"', () => {
  expect(() => redisEventLog({} as never)).toThrow(
    "redisEventLog: redis: expected a client of the package redis or ioredis",
  );
  expect(() => redisEventLog(scriptedClient(never).client, { onError: "closed" })).not.toThrow();
});
