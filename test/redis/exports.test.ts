import * as redis from "notetaker-sdk/redis";
import { expect, it } from "vitest";

it("notetaker-sdk/redis exports exactly these names", () => {
  expect(Object.keys(redis).sort()).toEqual([
    "ConfigurationError",
    "ConnectionError",
    "NotetakerError",
    "redisDedupe",
    "redisEventLog",
    "redisThrottle",
  ]);
});
