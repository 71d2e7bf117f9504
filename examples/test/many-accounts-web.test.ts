/** The web process of the application with many customers, alone: what it answers, and what it prints. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startServers } from "../support/servers.js";
import { examples } from "./support/run-folder.js";
import { serversFor } from "./support/servers-for.js";
import { startProgram } from "./support/start-program.js";

const hasServers = serversFor("the web process of many customers");
const SETTINGS = {
  ADMIN_KEY: "admin",
  ENCRYPTION_KEYS: `first:${"01".repeat(32)}`,
  PUBLIC_URL: "http://127.0.0.1:3000/",
  NOTETAKER_BASE_URL: "http://127.0.0.1:1/v1", // nothing listens: a token is believed until a job has used it
};

async function webProcess() {
  const servers = await startServers();
  onTestFinished(() => servers.stop());
  const program = await startProgram(examples, "many-accounts/web.ts", { ...SETTINGS, ...servers.env }, /web: http/);
  const pool = new pg.Pool({ connectionString: servers.env.DATABASE_URL });
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  const call = async (request: string, body?: string) => {
    const [method = "", path = ""] = request.split(" ");
    const headers = { authorization: "Bearer admin" };
    const response = await fetch(`${program.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    return { status: response.status, text: await response.text() };
  };
  return { servers, program, pool, call };
}

test.runIf(hasServers)(
  "what no customer can be called is unknown at once, and a delivery that is refused is a line of JSON, once",
  async () => {
    const { servers, program, pool, call } = await webProcess();
    for (const id of ["%00", "A", "a%2Fb", "%ff", "a".repeat(41)]) {
      for (const request of [`POST /hooks/${id}`, `GET /customers/${id}`, `POST /customers/${id}/read`])
        expect((await call(request, request.startsWith("POST") ? "{}" : undefined)).status, request).toBe(404);
    }
    const schema = readFileSync(join(examples, "many-accounts/schema.sql"), "utf8");
    const states = [...schema.slice(0, schema.indexOf("AS state")).matchAll(/(?:THEN|ELSE) '([a-z ]+)'/g)];
    expect(states).toHaveLength(7);
    for (const [, state = ""] of states)
      expect((await call(`GET /customers?state=${encodeURIComponent(state)}`)).status, state).toBe(200);
    for (const state of ["", "well", "%00"])
      expect(await call(`GET /customers?state=${state}`), state).toMatchObject({
        status: 400,
        text: expect.stringContaining("up to date, "),
      });

    const token = JSON.stringify({ token: "token-of-acme" });
    expect((await call("PUT /customers/acme", token)).status).toBe(202);
    await pool.query("UPDATE customers SET webhook_due_at = now() + interval '1 hour'"); // as after a join
    const isDue = async () => (await pool.query("SELECT webhook_due FROM customer_states")).rows[0].webhook_due;
    expect(await isDue()).toBe(false);
    expect((await call("POST /hooks/acme", "{}")).status).toBe(503);
    expect(await isDue()).toBe(true);
    await pool.query("INSERT INTO customer_webhooks SELECT 'whk_1', id, token FROM customers");
    for (let time = 0; time < 3; time += 1) expect((await call("POST /hooks/acme", "{}")).status).toBe(401);

    const refuse = "UPDATE customers SET refused = 'GET /meetings answered 401'";
    await pool.query(refuse);
    for (const path of ["read", "webhook"])
      expect(await call(`POST /customers/acme/${path}`)).toMatchObject({
        status: 409,
        text: expect.stringContaining("GET /meetings answered 401"),
      });

    // Redis is away: what the database has taken, a worker repeats.
    await servers.stopRedis();
    expect((await call("PUT /customers/acme", token)).status).toBe(202);
    expect(await isDue()).toBe(true);
    expect((await call("POST /customers/acme/webhook")).status).toBe(202);
    expect((await call("DELETE /customers/acme")).status).toBe(202);
    expect((await pool.query("SELECT leaving FROM customers")).rows).toEqual([{ leaving: true }]);

    const lines = program.output().trim().split("\n");
    const about = lines.map((line) => JSON.parse(line) as Record<string, string>); // each line is JSON
    expect(about.filter(({ message }) => message?.startsWith("a delivery got"))).toMatchObject([
      { level: "warn", customer: "acme", message: "a delivery got 503: no webhook is stored, one is made" },
      { level: "warn", customer: "acme", message: "a delivery got 401: missing_signature" },
    ]);
  },
);

test.runIf(hasServers).each([
  ["TICK_MS", "abc", 'TICK_MS is \\"abc\\": expected a whole number'],
  ["TICK_MS", "0", "TICK_MS is 0"],
  ["TICK_MS", "-5", 'TICK_MS is \\"-5\\"'],
  ["PORT", "99999", 'PORT is \\"99999\\"'],
  ["DATABASE_URL", "postgres://127.0.0.1:1/none", "connect ECONNREFUSED"],
  ["PUBLIC_URL", "example.com", "PUBLIC_URL is no URL of the web: example.com"],
])("the setting %s %s stops the process with a clear line", async (name, value, message) => {
  const start = startProgram(examples, "many-accounts/web.ts", { ...SETTINGS, [name]: value }, /web: http/);
  await expect(start).rejects.toThrow("exit code 1: ");
  await expect(start).rejects.toThrow(`"message":"not started: ${message}`);
});
