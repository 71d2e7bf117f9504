import type * as ioredis6 from "ioredis";
import type * as ioredis5 from "ioredis5";
import { redisDedupe, redisEventLog } from "notetaker-sdk/redis";
import { createReceiver, createRelay } from "notetaker-sdk/webhooks";
import type * as redis6 from "redis";
import type * as redis5 from "redis5";
import { expectTypeOf, it } from "vitest";

it("the types accept every kind of client of both Redis packages, in both versions", () => {
  const make = (
    client:
      | ReturnType<typeof redis5.createClient>
      | ReturnType<typeof redis6.createClient>
      | ReturnType<typeof redis5.createCluster>
      | ReturnType<typeof redis6.createCluster>
      | ReturnType<typeof redis5.createSentinel>
      | ReturnType<typeof redis6.createSentinel>
      | ReturnType<typeof redis5.createClientPool>
      | ReturnType<typeof redis6.createClientPool>
      | ioredis5.Redis
      | ioredis6.Redis
      | ioredis5.Cluster
      | ioredis6.Cluster,
  ) => [
    createReceiver({ secrets: "s", dedupe: redisDedupe(client) }),
    createRelay({ authorize: () => true, log: redisEventLog(client, { maxEvents: 10, onError: "closed" }) }),
  ];
  expectTypeOf(make).toBeFunction();
  // @ts-expect-error: not a client
  redisDedupe(new Map());
  // @ts-expect-error: an unknown option
  redisDedupe({} as ioredis6.Redis, { prefiks: "a" });
});
