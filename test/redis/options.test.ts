/** What the three functions refuse. No Redis runs. */
import { ConfigurationError, redisDedupe, redisEventLog, redisThrottle } from "notetaker-sdk/redis";
import { expect, it } from "vitest";
import { clientOf } from "./support/recording-client.js";

const without = (client: object, name: string) =>
  Object.fromEntries(Object.entries(client).filter(([key]) => key !== name));

const nodeRedis = { isOpen: true, on() {}, sendCommand() {}, duplicate() {}, disconnect() {}, destroy() {} };
const ioredis = { status: "ready", on() {}, duplicate() {}, call() {} };

it("a value that is not a client causes a ConfigurationError at once", () => {
  const values: Record<string, unknown> = {
    undefined: undefined,
    "a URL": "redis://localhost",
    "a promise of a client": Promise.resolve(nodeRedis),
    "the package redis, version 3": without(nodeRedis, "isOpen"),
    "the package redis, version 4": without(nodeRedis, "destroy"),
    "a client without sendCommand": without(nodeRedis, "sendCommand"),
    "ioredis without call": without(ioredis, "call"),
    "ioredis without status": without(ioredis, "status"),
  };
  for (const make of [redisDedupe, redisEventLog, redisThrottle]) {
    for (const [what, value] of Object.entries(values)) {
      expect(() => make(value as never), what).toThrow(ConfigurationError);
      expect(() => make(value as never), what).toThrow(`${make.name}: redis: `);
    }
    expect(() => make(nodeRedis as never)).not.toThrow();
    expect(() => make(ioredis as never)).not.toThrow();
  }
});

it("an option that is unknown or invalid causes a ConfigurationError that names it", () => {
  const client = clientOf(() => 1);
  const common = [
    { prefix: "" },
    { prefix: " " },
    { prefix: "a{b" },
    { onError: "ignore" },
    { onUnavailable: "log" },
    { timeoutMs: 0 },
    { prefiks: "a" },
  ];
  const claims = [{ claimMs: 999 }, { claimMs: 30_001 }, { claimMs: 1_000.5 }, { claimMs: "9000" }, { keepMs: 0 }];
  const events = [{ maxEvents: 0 }, { maxEvents: 1.5 }, { keepMs: "1" }];
  const perMinutes = [0, -1, Number.NaN, "10", 1.5].map((perMinute) => ({ limits: { other: { perMinute } } }));
  const table = [
    [redisDedupe, [...common, ...claims]],
    [redisEventLog, [...common, ...events]],
    [redisThrottle, [...common, ...perMinutes, { limits: { sendbot: { perMinute: 5 } } }]],
  ] as const;
  for (const [make, cells] of table) {
    for (const options of cells) {
      const [name = ""] = Object.keys(options);
      expect(() => make(client, options as never), JSON.stringify(options)).toThrow(ConfigurationError);
      expect(() => make(client, options as never)).toThrow(new RegExp(`^${make.name}: ${name}`));
    }
  }
  for (const claimMs of [1_000, 30_000]) expect(() => redisDedupe(client, { claimMs })).not.toThrow();
});
