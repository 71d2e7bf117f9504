/**
 * Prints the throttle's cost per call, beside Bottleneck and rate-limiter-flexible: `throttle.mjs local`, or
 * `throttle.mjs redis`, which starts a Redis and stops it.
 *
 * Each account makes 50 calls under a limit of 60 a minute, so that no call waits. All candidates run in turn, in a
 * first round that is not measured, and then in a second round.
 */
import { fileURLToPath } from "node:url";
import Bottleneck from "bottleneck";
import { build } from "esbuild";
import { redisThrottle } from "notetaker-sdk/redis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { startRedis } from "./redis-process.mjs";
import { requestOf } from "./throttle-request.mjs";

const CALLS = 50;
const LIMIT = 60;
const MINUTE_S = 60;
const ACCOUNTS = 100;

/** Bundles the local throttle alone, because it is not exported. */
async function bundledLocalThrottle() {
  const path = fileURLToPath(new URL("../../src/transport/throttle/local-throttle.ts", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Each candidate returns the function that a call of one account awaits. */
function localCandidates(LocalThrottle) {
  const memory = new RateLimiterMemory({ points: LIMIT, duration: MINUTE_S });
  const request = async () => {};
  return {
    "notetaker-sdk, throttle: true": () => {
      const throttle = new LocalThrottle();
      const call = requestOf("token");
      return { call: () => throttle.acquire(call) };
    },
    "rate-limiter-flexible, memory": (account) => ({ call: () => memory.consume(account) }),
    "Bottleneck, reservoir": () => {
      const limiter = new Bottleneck({
        reservoir: LIMIT,
        reservoirRefreshAmount: LIMIT,
        reservoirRefreshInterval: MINUTE_S * 1_000,
      });
      return { call: () => limiter.schedule(request), end: () => limiter.disconnect() };
    },
  };
}

function redisCandidates(redis) {
  const shared = redisThrottle(redis);
  const limits = { points: LIMIT, duration: MINUTE_S };
  const flexible = new RateLimiterRedis({ storeClient: redis, useRedisPackage: true, ...limits });
  return {
    "notetaker-sdk, redisThrottle": (account) => {
      const call = requestOf(account);
      return { call: () => shared.acquire(call) };
    },
    "rate-limiter-flexible, Redis": (account) => ({ call: () => flexible.consume(account) }),
    "PING (a round trip)": () => ({ call: () => redis.ping() }),
  };
}

/**
 * Bottleneck runs with this many times fewer accounts, because it starts each call from a timer, which takes a
 * millisecond or more.
 */
const BOTTLENECK_SHARE = 25;

const accountsFor = (name) => (name.startsWith("Bottleneck") ? ACCOUNTS / BOTTLENECK_SHARE : ACCOUNTS);

/** Microseconds per call, one call after the other or the 50 calls of an account at once. */
async function timed(create, count, round, isAtOnce) {
  const made = Array.from({ length: count }, (_, index) => create(`account ${round} ${isAtOnce} ${index}`));
  const startedAt = performance.now();
  for (const { call } of made) {
    if (isAtOnce) await Promise.all(Array.from({ length: CALLS }, call));
    else for (let number = 0; number < CALLS; number += 1) await call();
  }
  const tookMs = performance.now() - startedAt;
  for (const { end } of made) await end?.();
  return (tookMs * 1_000) / (count * CALLS);
}

async function measure(candidates) {
  const measured = {};
  for (const round of ["warm-up", "measured"]) {
    for (const [name, create] of Object.entries(candidates)) {
      const count = accountsFor(name);
      measured[name] = {
        single: await timed(create, count, round, false),
        atOnce: await timed(create, count, round, true),
      };
    }
  }
  return measured;
}

if (process.argv[2] === "redis") {
  const { client, stop } = await startRedis();
  try {
    console.log(JSON.stringify(await measure(redisCandidates(client))));
  } finally {
    stop();
  }
} else {
  const { LocalThrottle } = await bundledLocalThrottle();
  console.log(JSON.stringify(await measure(localCandidates(LocalThrottle))));
}
