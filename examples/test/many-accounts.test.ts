/** The application with many customers, started by its one command, with a Redis and a Postgres of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { freePort } from "../../test/support/free-port.js";
import { examples } from "./support/run-folder.js";
import { serversFor } from "./support/servers-for.js";
import { startProgram } from "./support/start-program.js";

const hasServers = serversFor("the application with many customers");

interface Row {
  id: string;
  transcript: boolean;
}

/** Starts everything, and returns what a person does with curl. */
async function application() {
  const [port, emulatorPort] = [await freePort(), await freePort()];
  const env = {
    PORT: String(port),
    EMULATOR_PORT: String(emulatorPort),
    TICK_MS: "2000",
    NODE_OPTIONS: `--import ${new URL("./support/otel-console.mjs", import.meta.url)}`,
  };
  const program = await startProgram(examples, "many-accounts/start.ts", env, /Three customers have joined: /);
  const call = (path: string, method = "GET", body?: object) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: "Bearer admin" },
      ...(body && { body: JSON.stringify(body) }),
    });
  const service = async (token: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(body) };
    return await (await fetch(`http://127.0.0.1:${emulatorPort}${path}`, init)).json();
  };
  const meetings = async (customer: string) => (await (await call(`/customers/${customer}/meetings`)).json()) as Row[];
  const health = async () => (await (await call("/health")).json()) as Record<string, number>;
  return { program, call, service, meetings, health };
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 1_200 && !(await isTrue()); attempt += 1) await sleep(100);
  expect(await isTrue()).toBe(true);
}

test.runIf(hasServers)("customers join, get their meetings, change their token and leave, by one command", async () => {
  const { program, call, service, meetings, health } = await application();
  await until(async () => (await meetings("acme")).length === 3 && (await meetings("bolt")).length === 5);
  await until(async () => (await meetings("corp")).length > 0);
  expect((await meetings("acme")).every(({ transcript }) => transcript)).toBe(true);
  await program.printed(/span .*meetings\.list/);

  // The token of one customer is refused: the others go on.
  expect((await call("/customers/bolt", "PUT", { token: "refused" })).status).toBe(202);
  await program.printed(/customer bolt is parked: .*401/);
  expect(await health()).toMatchObject({ customers: 3, customers_parked: 1 });
  expect(await (await call("/metrics")).text()).toContain("customers_parked 1\n");
  const [webhook] = await service("token-of-acme", "/v1/webhooks");
  const [{ id }] = (await meetings("acme")) as [Row];
  await service("token-of-acme", "/_emulator/webhooks/send", { kind: "meeting.transcript_ready", meetingId: id });
  const deliveries = await service("token-of-acme", "/_emulator/deliveries");
  expect(deliveries).toMatchObject([{ webhookId: webhook.id, state: "delivered" }]);
  expect((await call("/customers/bolt", "PUT", { token: "token-of-bolt" })).status).toBe(202);
  await until(async () => (await health()).customers_parked === 0);
  expect(await service("token-of-bolt", "/v1/webhooks")).toHaveLength(1);

  // Two customers leave; the jobs of one are under way.
  for (const name of ["acme", "corp"]) expect((await call(`/customers/${name}`, "DELETE")).status).toBe(202);
  await until(async () => (await health()).customers === 1);
  for (const name of ["acme", "corp"]) {
    expect(await service(`token-of-${name}`, "/v1/webhooks")).toEqual([]);
    expect(await meetings(name)).toEqual([]);
  }
  expect(await meetings("bolt")).toHaveLength(5);

  expect((await fetch(`http://127.0.0.1:${new URL(webhook.url).port}/customers/bolt/meetings`)).status).toBe(401);
  // Many customers join while the service hangs: an event of another customer does not wait for them.
  const hang = { route: "GET /webhooks", fault: { delayMs: 600_000, times: 1_000 } };
  await service("token-of-corp", "/_emulator/faults", hang);
  for (let number = 1; number <= 60; number += 1) {
    await call(`/customers/new-${number}`, "PUT", { token: "token-of-corp" });
  }
  const { meeting_id: called } = await service("token-of-bolt", "/v1/meetings/bot", {
    meeting_url: "https://zoom.us/j/123456789",
  });
  await service("token-of-bolt", `/_emulator/bots/${called}/finish`, {});
  await until(async () => (await meetings("bolt")).some(({ id, transcript }) => id === called && transcript));
  expect((await health()).customers_late).toBeGreaterThanOrEqual(60);

  // A process that has not ended by itself after nine seconds ends with an error.
  expect(await program.stop()).toBe(0);
});
