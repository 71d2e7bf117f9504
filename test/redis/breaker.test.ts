/** A Redis that answers too slowly: callers do not wait for it again and again. No Redis runs. */
import { beforeEach, expect, it, vi } from "vitest";
import { redisDedupe } from "../../src/redis/dedupe/redis-dedupe.js";
import { RedisServer } from "../../src/redis/redis-server.js";
import { eventually, recordingClient } from "./support/recording-client.js";

beforeEach(() => void vi.useFakeTimers());

/** A client whose answers take `answersAfter.ms`. */
function slowClient() {
  const answersAfter = { ms: 4_000 };
  const recording = recordingClient(() => new Promise((resolve) => setTimeout(resolve, answersAfter.ms, "OK")));
  return { ...recording, answersAfter };
}

async function runOn(server: RedisServer, options = {}): Promise<string> {
  const start = performance.now();
  const result = server.run("", ["key"], [], options).then(
    () => "answered",
    (error: Error) => error.message,
  );
  let text: string | undefined;
  void result.then((settled) => {
    text = settled;
  });
  await vi.advanceTimersByTimeAsync(0);
  while (text === undefined) await vi.advanceTimersByTimeAsync(100);
  return `${text} ${performance.now() - start}`;
}

const SLOW = "test: Redis answers too slowly 0";
const late = (ms = 3_000) => `test: Redis did not answer within ${ms} ms ${ms}`;

it("after three late answers in a row, commands are refused at once, and one tries again every two seconds", async () => {
  const { client, sent, answersAfter } = slowClient();
  const server = new RedisServer("test", client, {});
  for (let times = 0; times < 3; times += 1) expect(await runOn(server)).toBe(late());
  expect([await runOn(server), await runOn(server)]).toEqual([SLOW, SLOW]);
  await vi.advanceTimersByTimeAsync(1_900);
  expect(await runOn(server)).toBe(SLOW);
  await vi.advanceTimersByTimeAsync(200);
  const trial = runOn(server);
  expect(await runOn(server)).toBe(SLOW);
  expect(await trial).toBe(late());
  expect(await runOn(server)).toBe(SLOW);
  expect(sent).toHaveLength(4);

  answersAfter.ms = 100;
  await vi.advanceTimersByTimeAsync(2_100);
  expect(await runOn(server)).toBe("answered 100");
  answersAfter.ms = 4_000;
  for (let times = 0; times < 3; times += 1) expect(await runOn(server)).toBe(late());
  expect(await runOn(server)).toBe(SLOW);
});

it("an answer in time, or a refusal, begins the count anew", async () => {
  for (const inTime of [() => "OK", () => Promise.reject(new Error("OOM command not allowed"))]) {
    let times = 0;
    const { client } = recordingClient(() => (times++ % 3 === 2 ? inTime() : new Promise(() => {})));
    const server = new RedisServer("test", client, {});
    const answers = [];
    for (let run = 0; run < 8; run += 1) answers.push((await runOn(server)) === late());
    expect(answers).toEqual([true, true, false, true, true, false, true, true]);
  }
});

it("a try that was never finished is followed by another, and does not keep commands refused", async () => {
  const { client, answersAfter } = slowClient();
  const server = new RedisServer("test", client, {});
  for (let times = 0; times < 3; times += 1) await runOn(server);
  await vi.advanceTimersByTimeAsync(2_100);
  // A Worker that is stopped while it waits.
  vi.stubGlobal("setTimeout", () => 0);
  server.run("", ["key"], []).catch(() => {});
  await Promise.resolve();
  vi.unstubAllGlobals();
  answersAfter.ms = 100;
  await vi.advanceTimersByTimeAsync(4_900);
  expect(await runOn(server)).toBe(SLOW);
  await vi.advanceTimersByTimeAsync(200);
  expect(await runOn(server)).toBe("answered 100");
});

it("the functions of one client share what they have learned, and those of another client do not", async () => {
  const { client, sent } = slowClient();
  const first = new RedisServer("first", client, { timeoutMs: 50 });
  for (let times = 0; times < 3; times += 1) {
    expect(await runOn(first)).toBe("first: Redis did not answer within 50 ms 100");
  }
  expect(await runOn(new RedisServer("test", client, {}))).toBe(SLOW);
  expect(sent).toHaveLength(3);
  expect(await runOn(new RedisServer("test", slowClient().client, {}))).toBe(late());
});

it("a claim is renewed although Redis answers too slowly: nobody waits for it", async () => {
  const slow = { isSlow: false };
  const { client, sent } = recordingClient(({ args: [holder] }) => (slow.isSlow ? new Promise(() => {}) : holder));
  const store = redisDedupe(client);
  expect(await store.claim("key", "holder")).toBe("claimed");
  slow.isSlow = true;
  const server = new RedisServer("test", client, {});
  for (let times = 0; times < 3; times += 1) await runOn(server);
  expect(await runOn(server)).toBe(SLOW);
  const before = sent.length;
  // While one command tries again, every other is refused. A late renewal is counted as well, so the moment of that
  // command is not fixed.
  let answer = SLOW;
  for (let times = 0; answer === SLOW && times < 100; times += 1) {
    await vi.advanceTimersByTimeAsync(100);
    answer = await runOn(server);
  }
  expect(answer).toBe(late());
  await eventually(() => sent.length > before + 1 || undefined);
  // The end of a delivery does not wait for it either. It is written later.
  const start = performance.now();
  await expect(store.complete("key", "holder")).rejects.toThrow("redisDedupe: Redis answers too slowly");
  expect(performance.now()).toBe(start);
});
