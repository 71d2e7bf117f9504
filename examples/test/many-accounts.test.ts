/** The application with many customers, started by its one command, with a Redis and a Postgres of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../test/support/free-port.js";
import { startServers } from "../support/servers.js";
import { examples } from "./support/run-folder.js";
import { serversFor } from "./support/servers-for.js";
import { plainEnvironment, startProgram } from "./support/start-program.js";

const hasServers = serversFor("the application with many customers");

interface Row {
  id: string;
  transcript: boolean;
}

interface State {
  id: string;
  state: string;
  error: string | null;
  problems: string[];
}

interface Alert {
  customers: string[];
  problem: string;
  state: string;
  message: string;
}

/** Takes alerts, but not the first two. */
async function alertReceiver() {
  const alerts: Alert[] = [];
  let refusals = 2;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.statusCode = refusals-- > 0 ? 500 : 204;
    if (response.statusCode === 204) alerts.push(JSON.parse(String(Buffer.concat(chunks))));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { alerts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Starts everything, and returns what a person does with curl. */
async function application() {
  const [port, emulatorPort] = [await freePort(), await freePort()];
  const { alerts, url: alertUrl } = await alertReceiver();
  const servers = await startServers();
  onTestFinished(() => servers.stop());
  const env = {
    ...servers.env,
    PORT: String(port),
    EMULATOR_PORT: String(emulatorPort),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    NOTETAKER_BASE_URL: `http://127.0.0.1:${emulatorPort}/v1`,
    TICK_MS: "2000",
    ALERT_URL: alertUrl,
    ENCRYPTION_KEYS: `first:${"01".repeat(32)}`,
    NODE_OPTIONS: `--import ${new URL("./support/otel-console.mjs", import.meta.url)}`,
  };
  const program = await startProgram(examples, "support/many-accounts.ts", env, /Three customers have joined: /);
  const call = (path: string, method = "GET", body?: object | string) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: "Bearer admin" },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  const service = async (token: string, path: string, request?: object | "DELETE") => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = request === "DELETE" ? { method: request } : { method: "POST", body: JSON.stringify(request) };
    const response = await fetch(`http://127.0.0.1:${emulatorPort}${path}`, { headers, ...(request && sent) });
    return response.status === 204 ? undefined : await response.json();
  };
  const meetings = async (customer: string) => (await (await call(`/customers/${customer}/meetings`)).json()) as Row[];
  const states = async () => (await (await call("/customers")).json()) as State[];
  const stateOf = async (customer: string) => (await states()).find(({ id }) => id === customer)?.state;
  const pool = new pg.Pool({ connectionString: servers.env.DATABASE_URL });
  pool.on("error", () => {});
  onTestFinished(() => pool.end());
  return { program, call, service, meetings, states, stateOf, alerts, pool, env };
}

/** What a process prints that does not start with these variables. */
function refusal(file: "web" | "worker", env: NodeJS.ProcessEnv): string {
  const program = ["--import", import.meta.resolve("tsx"), join(examples, `many-accounts/${file}.ts`)];
  const { stdout, stderr } = spawnSync(process.execPath, program, { env, encoding: "utf8", timeout: 240_000 });
  return stdout + stderr;
}

/** What was true once may not be a moment later. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    if (await isTrue()) return;
    await sleep(100);
  }
  expect.unreachable(`not true after two minutes: ${isTrue}`);
}

const MINUTES = 600_000;

test.runIf(hasServers)(
  "customers join, get their meetings, change their token and leave, by one command",
  async () => {
    const { program, call, service, meetings, states, stateOf, alerts } = await application();
    await until(async () => (await meetings("acme")).length === 3 && (await meetings("bolt")).length === 5);
    await until(async () => (await meetings("corp")).length > 0);
    expect((await meetings("acme")).every(({ transcript }) => transcript)).toBe(true);
    await until(async () => (await stateOf("acme")) === "up to date");
    expect(await stateOf("corp")).toBe("reading its history");
    expect((await states()).find(({ id }) => id === "acme")).toMatchObject({ meetings: 3 });
    await program.printed(/span .*meetings\.list/);

    // The token of one customer is refused: the others go on.
    expect((await call("/customers/bolt", "PUT", { token: "refused" })).status).toBe(422);
    await service("token-of-bolt", "/_emulator/faults", { route: "GET /meetings", fault: { status: 401 } });
    await until(async () =>
      alerts.some(({ customers, problem }) => customers.includes("bolt") && problem === "refused"),
    );
    expect(await stateOf("bolt")).toBe("refused");
    expect(await (await call("/metrics")).text()).toContain('notetaker_customers{state="refused"} 1\n');
    expect(await (await call("/customers?state=refused")).json()).toMatchObject([{ id: "bolt" }]);
    expect(await (await call("/problems")).json()).toMatchObject({
      states: { refused: 1, "up to date": 1, "reading its history": 1 },
      problems: [{ problem: "refused", customers: ["bolt"], message: expect.stringContaining("401") }],
    });
    const [webhook] = await service("token-of-acme", "/v1/webhooks");
    const [{ id }] = (await meetings("acme")) as [Row];
    await service("token-of-acme", "/_emulator/webhooks/send", { kind: "meeting.transcript_ready", meetingId: id });
    const deliveries = await service("token-of-acme", "/_emulator/deliveries");
    expect(deliveries).toMatchObject([{ webhookId: webhook.id, state: "delivered" }]);
    expect((await call("/customers/bolt", "PUT", { token: "token-of-bolt" })).status).toBe(202);
    await until(async () => alerts.some(({ customers, state }) => customers.includes("bolt") && state === "is over"));
    expect(await service("token-of-bolt", "/v1/webhooks")).toHaveLength(1);

    // Two customers leave; the jobs of one are under way.
    for (const name of ["acme", "corp"]) expect((await call(`/customers/${name}`, "DELETE")).status).toBe(202);
    await until(async () => (await states()).length === 1);
    for (const name of ["acme", "corp"]) {
      expect(await service(`token-of-${name}`, "/v1/webhooks")).toEqual([]);
      expect((await call(`/customers/${name}/meetings`)).status).toBe(404);
    }
    expect(await meetings("bolt")).toHaveLength(5);
    for (const path of ["/customers", "/problems", "/customers/bolt", "/customers/bolt/meetings"])
      expect((await fetch(`${new URL(webhook.url).origin}${path}`)).status, path).toBe(401);

    // Many customers join while the service hangs: an event of another customer does not wait for them.
    const hang = { route: "GET /webhooks", fault: { delayMs: 600_000, times: 1_000 } };
    const fails = { route: "GET /meetings", fault: { status: 503, times: 1_000 } };
    for (const fault of [hang, fails]) await service("token-of-corp", "/_emulator/faults", fault);
    for (let number = 1; number <= 60; number += 1) {
      expect((await call(`/customers/new-${number}`, "PUT", { token: "token-of-corp" })).status).toBe(202);
    }
    const { meeting_id: called } = await service("token-of-bolt", "/v1/meetings/bot", {
      meeting_url: "https://zoom.us/j/123456789",
    });
    await service("token-of-bolt", `/_emulator/bots/${called}/finish`, {});
    await until(async () => (await meetings("bolt")).some((one) => one.id === called && one.transcript));

    // A process that has not ended by itself after nine seconds ends with an error.
    expect(await program.stop()).toBe(0);
  },
  MINUTES,
);

test.runIf(hasServers)(
  "a mistake is a 4xx, a customer whose list fails is late and told of, secrets are replaced, and what is forgotten stays away",
  async () => {
    const { program, call, service, meetings, states, stateOf, alerts, pool, env } = await application();
    for (const body of ["", "[", "{}", '{"token":7}', "null"])
      expect((await call("/customers/dora", "PUT", body)).status, body).toBe(400);
    expect((await call("/customers/dora", "PUT", { token: "with a\nbreak" })).status).toBe(422);
    for (const path of ["GET", "DELETE", "GET /meetings", "POST /webhook", "POST /read", "DELETE /meetings/mtg_1"]) {
      const [method, rest = ""] = path.split(" ");
      expect((await call(`/customers/dora${rest}`, method)).status, path).toBe(404);
    }
    expect((await call("/hooks/dora", "POST", "{}")).status).toBe(200); // the service must not repeat it
    await until(async () => (await call("/hooks/acme", "POST", "{}")).status === 401);
    for (const path of ["/health", "/ready"]) expect((await call(path)).status).toBe(200);
    expect(program.output()).not.toMatch(/^ +at /m);

    // The service asks for a pause: an event waits. A history is not read before its transcripts are.
    const pause = { status: 429, retryAfterSeconds: 16 };
    await service("token-of-bolt", "/_emulator/faults", { route: "GET /meetings", fault: pause });
    const called = await service("token-of-bolt", "/v1/meetings/bot", { meeting_url: "https://zoom.us/j/123456789" });
    await service("token-of-bolt", `/_emulator/bots/${called.meeting_id}/finish`, {});
    await until(async () => (await meetings("bolt")).some((one) => one.id === called.meeting_id && one.transcript));
    expect((await pool.query("SELECT error FROM given_up")).rows).toEqual([]);
    const failures = { route: "GET /meetings/{meeting_id}/transcript", fault: { status: 503, times: 40 } };
    await service("token-of-bolt", "/_emulator/faults", failures);
    expect((await call("/customers/eve", "PUT", { token: "token-of-bolt" })).status).toBe(202);
    await until(async () => (await stateOf("eve")) === "up to date");
    expect((await meetings("eve")).map(({ transcript }) => transcript)).toEqual(Array(6).fill(true));

    // A list fails.
    await until(async () => (await stateOf("acme")) === "up to date");
    const fault = { status: 503, times: 1_000 };
    await service("token-of-acme", "/_emulator/faults", { route: "GET /meetings", fault });
    await until(async () => (await states()).find(({ id }) => id === "acme")?.error?.includes("503") === true);
    // An event meanwhile says why it fails.
    await service("token-of-acme", "/_emulator/webhooks/send", {
      kind: "meeting.transcript_ready",
      meetingId: (await meetings("acme"))[0]?.id,
    });
    await program.printed(
      /"customer":"acme","job":"event","meeting":".+","message":".*the run ended as paused: .*503"/,
    );
    // What a clock does in three minutes, also if a run writes what it has begun with.
    const polled = "to_jsonb(floor(extract(epoch FROM now() - interval '4 min') * 1000))";
    const ages = `UPDATE notetaker_accounts SET polled_at = now() - interval '4 min',
      state = jsonb_set(state::jsonb, '{polledMs}', ${polled})::text WHERE account = 'acme'`;
    await until(async () => {
      await pool.query(ages);
      return alerts.some(({ customers, problem }) => customers.includes("acme") && problem === "late");
    });
    await service("token-of-acme", "/_emulator/faults", "DELETE");
    expect(alerts.find(({ customers }) => customers.includes("acme"))?.message).toMatch(/503/);
    await until(async () => alerts.some(({ customers, state }) => customers.includes("acme") && state === "is over"));
    expect(alerts.filter(({ customers }) => customers.includes("acme"))).toMatchObject([
      { problem: "late", state: "begins" },
      { problem: "late", state: "is over" },
    ]);
    expect(await stateOf("acme")).toBe("up to date");

    // A customer who was mended is read at once, and not when the ticks would: they ask more and more rarely.
    const polledAt = async () => Date.parse((await (await call("/customers/acme")).json()).polled_at);
    let lastPoll: number | undefined;
    await until(async () => {
      lastPoll = await polledAt();
      await pool.query("UPDATE notetaker_accounts SET next_at = now() + interval '1 hour' WHERE account = 'acme'");
      await sleep(5_000); // two ticks, which do nothing once the runs under way have ended
      return (await polledAt()) === lastPoll;
    });
    expect((await call("/customers/acme/read", "POST")).status).toBe(202);
    await until(async () => (await polledAt()) !== lastPoll);

    // A webhook that was deleted at the service is made again by the hourly look.
    const [deleted] = await service("token-of-acme", "/v1/webhooks");
    await service("token-of-acme", `/v1/webhooks/${deleted.id}`, "DELETE");
    expect(await service("token-of-acme", "/v1/webhooks")).toEqual([]);
    await pool.query("UPDATE customers SET webhook_due_at = now() WHERE id = 'acme'"); // what a clock does in an hour
    await until(async () => (await service("token-of-acme", "/v1/webhooks"))[0]?.enabled === true);
    await program.printed(/"customer":"acme","message":"the service has the webhook .* no more: another one is made"/);
    const hasWebhook = async () => !(await (await call("/customers/acme")).json()).webhook_due;
    await until(hasWebhook);

    // A secret is replaced while events come.
    const [{ id }] = (await meetings("acme")) as [Row];
    const send = () =>
      service("token-of-acme", "/_emulator/webhooks/send", { kind: "meeting.transcript_ready", meetingId: id });
    const [before] = await service("token-of-acme", "/v1/webhooks");

    expect((await call("/customers/acme/webhook", "POST")).status).toBe(202);
    expect(await hasWebhook()).toBe(false);
    await until(async () => {
      await send();
      return await hasWebhook();
    });
    const [after, ...others] = await service("token-of-acme", "/v1/webhooks");
    expect([after.id === before.id, others]).toEqual([false, []]);
    const deliveries = (await service("token-of-acme", "/_emulator/deliveries")) as { state: string }[];
    expect(deliveries.length).toBeGreaterThan(10);
    expect(deliveries.filter(({ state }) => state === "failed")).toEqual([]);

    expect((await call("/customers/acme/meetings/mtg_unknown", "DELETE")).status).toBe(404);
    expect((await call(`/customers/acme/meetings/${id}`, "DELETE")).status).toBe(204);
    await send();
    await pool.query("UPDATE notetaker_accounts SET state = NULL WHERE account = 'acme'");
    await until(async () => {
      const read = await pool.query("SELECT state IS NOT NULL AS read FROM notetaker_accounts WHERE account = 'acme'");
      return read.rows[0].read;
    });
    await sleep(3_000);
    expect((await meetings("acme")).map((one) => one.id)).not.toContain(id);
    const details = { id: "acme", state: "up to date", meetings: 2, incomplete: 0, problems: [], given_up: [] };
    expect(await (await call("/customers/acme")).json()).toMatchObject({ ...details, webhooks: [after.id] });

    for (const file of ["web", "worker"] as const) {
      const all = { ...plainEnvironment(), ...env, ADMIN_KEY: "admin", PORT: "0", NODE_OPTIONS: "" };
      expect(refusal(file, { ...all, PUBLIC_URL: "" })).toMatch(
        /^{"time":"\d.*Z","level":"error","message":"not started: PUBLIC_URL is not set"}\n$/,
      );
      for (const name of ["first", "other"]) {
        const refused = refusal(file, { ...all, ENCRYPTION_KEYS: `${name}:${"03".repeat(32)}` });
        expect(refused).toMatch(/^{.*"not started: ENCRYPTION_KEYS lacks the key \\"first\\" .*}\n$/);
      }
    }

    // The database is away for a moment: a delivery waits for it. The secrets are cached no longer.
    await pool.query("ALTER VIEW customer_secrets RENAME TO away");
    const delivering = call("/hooks/acme", "POST", "{}");
    await sleep(1_000);
    await pool.query("ALTER VIEW away RENAME TO customer_secrets");
    expect((await delivering).status).toBe(401);

    // A newer process has added a column to a view, and an older one starts.
    const { rows: views } = await pool.query("SELECT rtrim(pg_get_viewdef('customer_states'), ';') AS definition");
    await pool.query(
      `CREATE OR REPLACE VIEW customer_states AS SELECT *, 1 AS newer FROM (${views[0].definition}) AS old`,
    );

    // Processes that know both keys come before this; those of this test do not.
    const METRICS_PORT = String(await freePort());
    const own = { ENCRYPTION_KEYS: `second:${"02".repeat(32)},${env.ENCRYPTION_KEYS}`, METRICS_PORT, NODE_OPTIONS: "" };
    await startProgram(examples, "many-accounts/worker.ts", { ...env, ...own }, /metrics: http/);
    const metrics = async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
    expect(await metrics()).toContain('notetaker_jobs_total{kind="join",outcome="given_up"} 0\n');
    expect(await metrics()).toContain("notetaker_ready 1\n");
    const request = 'notetaker_request_seconds_count{operation="meetings.list",status="200"} ';
    await until(async () => (await metrics()).includes(request));
    await until(async () => {
      const { rows } = await pool.query("SELECT token FROM customers UNION ALL SELECT secret FROM customer_webhooks");
      return rows.every(({ token }) => token.startsWith("second."));
    });
    await pool.query("ALTER VIEW notices RENAME TO away");
    expect(await metrics()).toContain("notetaker_ready 0\n");
  },
  MINUTES,
);

/** With the labels that Prometheus gives each series of a scrape job: which alerts fire after ten minutes? */
function testRules(rules: string): void {
  const series = (name: string, values: string) => ({ series: name, values });
  const jobs = (kind: string, outcome: string, values: string) =>
    series(`notetaker_jobs_total{job="notetaker",instance="worker",kind="${kind}",outcome="${outcome}"}`, values);
  const deliveries = (values: string, status = "401") =>
    series(`notetaker_deliveries_total{job="notetaker",instance="web",status="${status}"}`, values);
  const late = (values: string) => series('notetaker_customers{job="notetaker",state="late"}', values);
  const up = series('up{job="notetaker",instance="worker"}', "1x20");
  const cases: [input: object[], firing: string[]][] = [
    [[up, jobs("tick", "done", "0+60x20"), jobs("tick", "failed", "0x20")], []],
    [[up, jobs("tick", "done", "0+60x20"), jobs("tick", "failed", "0+60x20")], ["TicksFail"]],
    [[up, deliveries("0+6x20"), deliveries("0+94x20", "200")], ["DeliveriesRefused"]],
    [[up, deliveries("0+4x20"), deliveries("0+96x20", "200")], []],
    [[up, deliveries("0+1x20")], []], // too few
    [[up, deliveries("0+60x20", "404")], []],
    // What has ended two minutes ago pages nobody.
    [[up, jobs("tick", "done", "0+60x20"), jobs("tick", "failed", "0x6 60+60x3 240x10")], []],
    [[up, deliveries("0+60x10 600x10")], []],
    // Nor is somebody paged twice for customers who are late in turn.
    [[up, late("0x5 3x3 0x12")], ["CustomersLate"]],
    [[up, jobs("event", "given_up", "0x5 1x15")], ["JobsGivenUp"]],
    [[up, series('notetaker_ready{job="notetaker",instance="worker"}', "1x5 0x15")], ["NotReady"]],
    [[], ["ProcessDown"]],
  ];
  const names = [...readFileSync(rules, "utf8").matchAll(/alert: (\w+)/g)].map(([, name]) => name as string);
  const tests = cases.map(([input_series, firing]) => ({
    interval: "1m",
    input_series,
    promql_expr_test: names.map((name) => ({
      expr: `count by (alertname) (ALERTS{alertname="${name}",alertstate="firing"})`,
      eval_time: "12m",
      exp_samples: firing.includes(name.slice("Notetaker".length))
        ? [{ labels: `{alertname="${name}"}`, value: 1 }]
        : [],
    })),
  }));
  promtool("test", { rule_files: [rules], tests });
}

/** Throws with what promtool has said. */
function promtool(command: "check" | "test", content: object): void {
  const folder = mkdtempSync(join(tmpdir(), "rules-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "rules.yml");
  writeFileSync(file, JSON.stringify(content)); // JSON is YAML
  execFileSync("promtool", [command, "rules", file], { stdio: "pipe" });
}

test("the alert rules fire when they must, and they and the dashboard use metrics that the processes have", () => {
  const folder = join(examples, "many-accounts");
  const rules = readFileSync(join(folder, "alert-rules.yml"), "utf8");
  const hasPromtool = spawnSync("promtool", ["--version"]).error === undefined;
  expect(hasPromtool || !process.env.NOTETAKER_REQUIRE_POSTGRES).toBe(true);
  if (hasPromtool) {
    execFileSync("promtool", ["check", "rules", join(folder, "alert-rules.yml")]);
    testRules(join(folder, "alert-rules.yml"));
  }
  expect(rules.match(/runbook_url: https:/g)).toHaveLength(10);
  const guide = readFileSync(join(examples, "../docs/operations.md"), "utf8");
  const schema = readFileSync(join(folder, "schema.sql"), "utf8");
  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name as string);
  const explained = [
    ...found(rules, /alert: Notetaker(\w+)/g).map((name) => `\`${name}\``),
    ...found(schema, /(?:AS customer|UNION ALL SELECT \w+), '([a-z ]+)'/g).map((problem) => `*${problem}*`),
    ...found(schema.slice(0, schema.indexOf("AS state")), /(?:THEN|ELSE) '([a-z ]+)'/g).map(
      (state) => `| \`${state}\` |`,
    ),
  ];
  expect(explained).toHaveLength(10 + 6 + 7);
  expect(explained.filter((name) => !guide.includes(name))).toEqual([]);
  const dashboard = readFileSync(join(folder, "grafana.json"), "utf8");
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(8);
  const recorded = expressions.map((expr, index) => ({ record: `panel:${index}`, expr }));
  if (hasPromtool) promtool("check", { groups: [{ name: "dashboard", rules: recorded }] });
  const declared = [...readFileSync(join(folder, "metrics.ts"), "utf8").matchAll(/"(notetaker_\w+)"/g)].map(
    ([, name]) => name,
  );
  const used = [...(rules + dashboard).matchAll(/\bnotetaker_[a-z_]+/g)].map(([name]) =>
    name.replace(/_(bucket|count)$/, ""),
  );
  expect(used.length).toBeGreaterThan(15);
  expect(used.filter((name) => !declared.includes(name))).toEqual([]);
});
