/**
 * `npm run fleet`: examples/many-accounts under load, while everything is killed.
 *
 *   npm run fleet [-- --accounts 1000 --workers 3 --minutes 15 --kills 60 --history 20000 --histories 1 --deliveries 200]
 *
 * Prints what is missing or doubled in the end, how long an event takes to its row, when a customer whose list fails is
 * late and somebody is told, how many deliveries a second the web process takes, the requests of an account and the memory
 * of a worker. It fails if anything is missing or doubled. It needs redis-server and Postgres. It ends at most ten minutes
 * after the measured ones: five for what was lost, and three for the rest of the histories.
 */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { postgresStore } from "notetaker-sdk/sql";
import { hasPostgres, startPostgres } from "../../test/postgres/support/postgres-server.js";
import { hasRedis, startRedis } from "../../test/redis/support/redis-server.js";
import { freePort } from "../../test/support/free-port.js";
import { delaysOf, doubledOf, missingOf, percentile, requestsADay, stateOf, watchRows } from "./audit.js";
import { measureDeliveries } from "./deliveries.js";
import { watchFailure } from "./failure.js";
import { type FleetOptions, fatesOf, isLarge, type Outage, type Truth, tokenOf } from "./options.js";
import { compilePrograms, FleetProcess } from "./processes.js";

const { values } = parseArgs({
  options: {
    accounts: { type: "string", default: "1000" },
    workers: { type: "string", default: "3" },
    minutes: { type: "string", default: "15" },
    kills: { type: "string", default: "60" },
    history: { type: "string", default: "20000" },
    histories: { type: "string", default: "1" },
    deliveries: { type: "string", default: "200" },
    "every-seconds": { type: "string", default: "300" },
    "tick-seconds": { type: "string", default: "60" },
  },
});
const options: FleetOptions = {
  accounts: Number(values.accounts),
  workers: Number(values.workers),
  minutes: Number(values.minutes),
  kills: Number(values.kills),
  history: Number(values.history),
  histories: Number(values.histories),
  everyMs: Number(values["every-seconds"]) * 1_000,
  tickMs: Number(values["tick-seconds"]) * 1_000,
  lost: 0.05,
  doubled: 0.05,
  port: await freePort(),
};
if (!hasRedis || !hasPostgres) {
  console.error("npm run fleet needs redis-server and Postgres.");
  process.exit(process.env.NOTETAKER_REQUIRE_REDIS || process.env.NOTETAKER_REQUIRE_POSTGRES ? 1 : 0);
}

const redis = await startRedis(["--appendonly", "yes"]);
const postgres = await startPostgres();
const pool = postgres.pool();
// However this program ends, it leaves no server behind.
process.once("exit", () => {
  void redis.stop();
  void postgres.kill();
});
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const webPort = await freePort();
const failure = await watchFailure(pool, fatesOf(options).failing);
const baseUrl = `http://127.0.0.1:${options.port}/v1`;
const env = {
  ...process.env,
  FLEET: JSON.stringify(options),
  ADMIN_KEY: "admin",
  ENCRYPTION_KEYS: `fleet:${randomBytes(32).toString("hex")}`,
  ALERT_URL: failure.alertUrl,
  PORT: String(webPort),
  PUBLIC_URL: `http://127.0.0.1:${webPort}`,
  TICK_MS: String(options.tickMs),
  REDIS_URL: redis.url,
  DATABASE_URL: `postgres://tester@127.0.0.1:${pool.options.port}/postgres`,
  NOTETAKER_BASE_URL: baseUrl,
};
const programs = await compilePrograms();
const service = await new FleetProcess("service", join(programs, "service.mjs"), env).start("service: ");
const web = await new FleetProcess("web", join(programs, "web.mjs"), env).start("web: ");
await watchRows(pool);
const workers: FleetProcess[] = [];
for (let number = 1; number <= options.workers; number += 1) {
  const worker = new FleetProcess(`worker ${number}`, join(programs, "worker.mjs"), env);
  workers.push(await worker.start("waiting for jobs"));
}
const measuring = setInterval(() => {
  for (const worker of workers) worker.measure();
}, 1_000);

/** Asks the web process, until it answers: it may have been killed. */
async function admin(method: string, customer: string, body?: object): Promise<void> {
  const headers = { authorization: `Bearer ${env.ADMIN_KEY}` };
  for (;;) {
    const url = `${env.PUBLIC_URL}/customers/${customer}`;
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(() => {});
    if (response?.ok) return;
    await sleep(200);
  }
}

const truth = () => service.ask<Record<string, Truth>>("truth");
const startedAt = Date.now();
const endsAt = startedAt + options.minutes * 60_000;
const say = (text: string) => console.log(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`);

say(`${options.accounts} customers join`);
const names = Object.keys(await truth());
const joining = (async () => {
  for (const name of names) await admin("PUT", name, { token: tokenOf(name) });
  say("all have joined");
})();
/** What was counted before the accounts were read for the first time does not belong to a day. */
let baseline: { truth: Record<string, Truth>; at: number; cpuMs: number } | undefined;
const cpuOfWorkers = () => workers.reduce((sum, worker) => sum + worker.cpuMs, 0);
void joining
  .then(() => sleep(2 * options.tickMs))
  .then(async () => {
    baseline = { truth: await truth(), at: Date.now(), cpuMs: cpuOfWorkers() };
  });
await service.ask("begin");
// In the middle, a list fails for five minutes, or as long as is left.
const failing = joining
  .then(() => sleep(Math.max(0, startedAt + (options.minutes * 60_000) / 2 - Date.now())))
  .then(async () => {
    failure.begins();
    await service.ask("fail");
    await sleep(Math.max(0, Math.min(300_000, endsAt - Date.now())));
    await service.ask("heal");
  });

const deploys: number[] = [];
const restart = async (one: FleetProcess, signal: "SIGTERM" | "SIGKILL", ready: string) => {
  const ms = await one.end(signal);
  if (signal === "SIGTERM") deploys.push(ms);
  await one.start(ready);
};
const workerAt = (number: number) => workers[number % workers.length] as FleetProcess;
const KILLS: Record<string, (number: number) => Promise<unknown>> = {
  "kill a worker": (number) => restart(workerAt(number), "SIGKILL", "waiting for jobs"),
  "kill the web process": () => restart(web, "SIGKILL", "web: "),
  "kill Redis": async () => {
    await redis.stop();
    await redis.start({ keepData: true });
  },
  "kill Postgres": async () => {
    await postgres.kill();
    await postgres.start();
  },
  "deploy a worker": (number) => restart(workerAt(number + 1), "SIGTERM", "waiting for jobs"),
  "slow Redis, for 10 s": async () => {
    for (let count = 0; count < 25; count += 1) {
      redis.signal("SIGSTOP");
      await sleep(250);
      redis.signal("SIGCONT");
      await sleep(150);
    }
  },
};
const kinds = Object.entries(KILLS);
const outages: Outage[] = [];
const pauseMs = (endsAt - Date.now()) / (options.kills + 1);
for (let number = 0; number < options.kills; number += 1) {
  await sleep(Math.max(0, startedAt + (number + 1) * pauseMs - Date.now()));
  const [name, kill] = kinds[number % kinds.length] as (typeof kinds)[number];
  say(name);
  const from = Date.now();
  await kill(number);
  outages.push({ name, from, to: Date.now() });
  if (number === Math.floor(options.kills / 3)) await service.ask("revoke");
  if (number === Math.floor(options.kills / 2)) void joining.then(() => admin("DELETE", fatesOf(options).leaving));
}
await sleep(Math.max(0, endsAt - Date.now()));
await Promise.all([joining, failing]);
await service.ask("end");
const countedMs = Date.now() - (baseline?.at ?? startedAt);
say("no more meetings, no more kills");
const counted = await truth();
const cpuMs = cpuOfWorkers() - (baseline?.cpuMs ?? 0);
const tickCpuMs = (cpuMs * options.tickMs) / countedMs / options.accounts;

// What is lost by an event is found by a tick; after a kill, a tick waits for the lease of three minutes.
const unread = new Set(names.filter((name) => isLarge(name, options)));
const settlesAt = Date.now() + 5 * 60_000;
let missing: string[] = [];
do {
  await sleep(1_000);
  missing = await missingOf(pool, await truth(), { options, unread });
  if (process.env.FLEET_LOG && missing[0])
    console.error(`${missing.length} missing: ${await stateOf(pool, missing[0])}`);
} while (missing.length > 0 && Date.now() < settlesAt);
say(`the new meetings have settled: ${missing.length} missing`);

const deliveries = await measureDeliveries(pool, env, Number(values.deliveries));
say("the web process has taken its deliveries");
clearInterval(measuring);
for (const worker of workers) deploys.push(await worker.end("SIGTERM"));
await web.end("SIGTERM");
// What the kills have left of the histories is read for three minutes, eight at once. Those that were read are compared.
const drainsUntil = Date.now() + 3 * 60_000;
while (unread.size > 0 && Date.now() < drainsUntil) {
  await service.ask("next minute");
  const drain = async (name: string) => {
    const { ended } = await syncMeetings(new Notetaker({ baseUrl, token: tokenOf(name) }), {
      into: postgresStore(pool, { account: name }),
      requestsPerMinute: 1_000_000,
      budget: { requests: 45 },
    });
    if (ended === "done") unread.delete(name);
  };
  await Promise.all([...unread].slice(0, 8).map(drain));
}
say(`${options.histories - unread.size} of ${options.histories} long histories are read to their end`);

const last = await truth();
missing = await missingOf(pool, last, { options, unread });
const doubled = await doubledOf(pool, last, options);
const delays = await delaysOf(pool, last, { outages, options });
const requests = requestsADay(counted, baseline?.truth ?? {}, { ms: countedMs, options });
const events = Object.values(last).reduce((sum, { sent }) => sum + Object.keys(sent).length, 0);
const line = (list: readonly number[]) =>
  `p50 ${percentile(list, 0.5)}, p99 ${percentile(list, 0.99)} (${list.length} events)`;
console.log(`
accounts, meetings held, kills: ${options.accounts}, ${events}, ${options.kills}
missing: ${missing.length} (${options.histories - unread.size} of ${options.histories} long histories were compared as a whole, of the others the new meetings)
doubled: ${doubled.length}
event to row, quiet accounts: ${line(delays.quiet)}
  from the delivery that was accepted: ${line(delays.accepted)}
${delays.outages.map(({ name, delays }) => `  during "${name}": ${line(delays)}\n`).join("")}event to row, accounts with a long history: ${line(delays.large)}
row of an event that was lost, or had no webhook yet: ${line(delays.lost)}
a customer whose list fails: ${failure.result()}
alerts of the others: ${failure.others()}
deliveries to the web process: ${deliveries}
requests of an account a day: ${requests.all}, ${requests.polls} of them lists
memory of a worker: at most ${workers.map(({ memory }) => `${Math.round(memory / 1_048_576)} MiB`).join(", ")}
${options.kills === 0 ? `CPU of the workers for each account and tick: ${tickCpuMs.toFixed(1)} ms\n` : ""}SIGTERM of a worker: at most ${Math.max(...deploys)} ms`);
for (const key of missing.slice(0, 10)) console.log(`missing: ${key} ${await stateOf(pool, key)}`);
for (const text of doubled.slice(0, 10)) console.log(text);

failure.close();
await pool.end();
await service.end("SIGKILL");
await postgres.close();
await redis.close();
process.exit(missing.length + doubled.length === 0 ? 0 : 1);
