/**
 * The throttle's own cost per call, beside Bottleneck and rate-limiter-flexible: `node bench/throttle.mjs`, after
 * `npm run build` at the root and `npm install` in this folder. It starts a Redis of its own, and stops it.
 *
 * Each account makes 50 calls under a limit of 60 a minute, so that nothing waits: what is measured is what a call pays
 * to be told that it may go. Rounds of all candidates follow each other, so that what else the machine does hits all.
 * Options: --accounts 100, --rounds 15.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { cpus, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Bottleneck from "bottleneck";
import { build } from "esbuild";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { createClient } from "redis";
import { redisThrottle } from "../dist/redis.js";

const CALLS = 50;
const LIMIT = 60;
const MINUTE_S = 60;

const { values } = parseArgs({ options: { accounts: { type: "string" }, rounds: { type: "string" } } });
const accounts = Number(values.accounts ?? 100);
const rounds = Number(values.rounds ?? 15);

/** The local throttle is inside the client: here it is alone. */
async function bundledLocalThrottle() {
  const path = fileURLToPath(new URL("../src/transport/throttle/local-throttle.ts", import.meta.url));
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

async function startRedis() {
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", tmpdir()];
  const server = spawn("redis-server", args, { stdio: "ignore" });
  const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: 50 } });
  // Until the server listens, connections are refused, and tried again.
  client.on("error", () => {});
  await client.connect();
  return { server, client };
}

const requestOf = (token) => ({
  operation: "rooms.list",
  token,
  signal: undefined,
  remainingMs: () => Number.POSITIVE_INFINITY,
  onWait() {
    throw new Error("a call waited: this run measures nothing");
  },
  createTimeoutError: () => new Error("too late"),
});

/** Each makes what a call of one account waits for. `round` keeps the accounts of a round apart. */
function candidates(LocalThrottle, redis) {
  const shared = redisThrottle(redis);
  const memory = new RateLimiterMemory({ points: LIMIT, duration: MINUTE_S });
  const flexible = new RateLimiterRedis({
    storeClient: redis,
    useRedisPackage: true,
    points: LIMIT,
    duration: MINUTE_S,
  });
  const request = async () => {};
  return {
    local: {
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
    },
    redis: {
      "notetaker-sdk, redisThrottle": (account) => {
        const call = requestOf(account);
        return { call: () => shared.acquire(call) };
      },
      "rate-limiter-flexible, Redis": (account) => ({ call: () => flexible.consume(account) }),
      "PING (a round trip)": () => ({ call: () => redis.ping() }),
    },
  };
}

/** Bottleneck starts each call from a timer, which takes a millisecond or more: so many times fewer accounts suffice. */
const BOTTLENECK_SHARE = 25;

const accountsFor = (name) => Math.ceil(name.startsWith("Bottleneck") ? accounts / BOTTLENECK_SHARE : accounts);

/** Microseconds per call: one after the other, or the 50 of an account at once. */
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

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The medians of all rounds but the first, which warms up, and the ratios to the first candidate of each round. */
async function compare(group) {
  const names = Object.keys(group);
  const results = names.map(() => ({ single: [], atOnce: [], singleRatio: [], atOnceRatio: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    const measured = [];
    for (const name of names) {
      const measure = (isAtOnce) => timed(group[name], accountsFor(name), round, isAtOnce);
      measured.push({ single: await measure(false), atOnce: await measure(true) });
    }
    if (round === 0) continue;
    for (const [index, { single, atOnce }] of measured.entries()) {
      results[index].single.push(single);
      results[index].atOnce.push(atOnce);
      results[index].singleRatio.push(single / measured[0].single);
      results[index].atOnceRatio.push(atOnce / measured[0].atOnce);
    }
  }
  return results.map(({ single, atOnce, singleRatio, atOnceRatio }, index) => ({
    candidate: names[index],
    "one by one, µs": median(single).toFixed(1),
    ratio: median(singleRatio).toFixed(2),
    "50 at once, µs": median(atOnce).toFixed(1),
    "ratio ": median(atOnceRatio).toFixed(2),
  }));
}

const { LocalThrottle } = await bundledLocalThrottle();
const { server, client } = await startRedis();
try {
  const { local, redis } = candidates(LocalThrottle, client);
  const info = await client.info("server");
  const processor = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
  console.log(`Node ${process.versions.node}, Redis ${/redis_version:(\S+)/.exec(info)?.[1]}, ${processor}`);
  console.table(await compare(local));
  console.table(await compare(redis));
} finally {
  client.destroy();
  server.kill();
}
