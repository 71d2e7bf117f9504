/** The options and commands of `npx -p notetaker-sdk notetaker-emulator`, from the packed tarball in an empty folder. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";

const installed = inject("installed");
const command = [join(installed, "node_modules/notetaker-sdk/dist/node/notetaker-emulator.js")];
const folder = mkdtempSync(join(tmpdir(), "emulator-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [...command, ...args], {
    cwd: installed,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });

/** Collects the output of a process until it matches `pattern`. */
async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += String(chunk);
    });
  }
  while (!pattern.test(output)) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before ${pattern}: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return output;
}

async function started(...args: string[]) {
  const child = spawn(process.execPath, [...command, "--port", "0", ...args], { cwd: installed });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = await printed(child, /token: +\S+\n/);
  const url = /address: +(\S+)/.exec(output)?.[1] ?? "";
  const tokens = [...output.matchAll(/token: +(\S+)/g)].map(([, token = ""]) => token);
  return { child, url, tokens, headers: { authorization: `Bearer ${tokens[0]}` } };
}

function temporaryFile(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const isRunning = (pid: number) => {
  try {
    process.kill(pid, 0);
    // In a container without an init process, a process that has exited remains as a zombie.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch (error) {
    return (error as { code?: string }).code === "ENOENT";
  }
};

describe("notetaker-emulator", () => {
  test("--version prints the package's version", () => {
    const { version } = JSON.parse(readFileSync(join(installed, "node_modules/notetaker-sdk/package.json"), "utf8"));
    expect(run(["--version"])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  test.each([
    [["--limts", "1"], "notetaker-emulator: Unknown option '--limts'; did you mean --limits?; see --help"],
    [["--port", "1e9"], "--port: expected a number from 0 to 65535, received 1e9"],
    [["--port", "-1"], "Option '--port' argument is ambiguous. Did you forget"],
    [["--speed", "0"], "--speed: expected a number above 0, received 0"],
    [["--speed", "fast"], "--speed: expected a number above 0, received fast"],
    [["--limits", "some"], "--limits: expected one of specified, all, none, received some"],
    [["strat"], "unknown command strat"],
    [["trigger"], "expected one kind of event"],
    [["trigger", "meeting.transcript_redy"], "did you mean meeting.transcript_ready?"],
    [["trigger", "meeting.transcript_ready"], "--to is missing"],
  ])("prints one line and exits with 2 for %j", (args, message) => {
    const ended = run(args, { NOTETAKER_WEBHOOK_SECRET: "" });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(ended).toMatchObject({ status: 2, stdout: "" });
  });

  test("runs faster with --speed, has no rate limits with --limits none, and has control routes with --control", async () => {
    const { url, headers } = await started("--speed", "600", "--limits", "none", "--control");
    const body = JSON.stringify({ meeting_url: "https://zoom.us/j/123456" });
    for (let sent = 0; sent < 11; sent++) {
      expect((await fetch(`${url}/meetings/bot`, { method: "POST", headers, body })).status).toBe(202);
    }
    // The call takes 67 s of the emulator's time, which is a tenth of a second here.
    const completed = async () =>
      ((await (await fetch(`${url}/meetings?status=completed&limit=100`, { headers })).json()) as { data: [] }).data;
    const before = (await completed()).length;
    await expect.poll(async () => (await completed()).length, { timeout: 5_000 }).toBeGreaterThan(before);
    const requests = await fetch(new URL("/_emulator/requests", url), { headers });
    expect(requests.status).toBe(200);
    const clock = { method: "POST", headers, body: '{"advance":3600000}' };
    expect(await (await fetch(new URL("/_emulator/clock", url), clock)).json()).toEqual({ now: expect.any(Number) });
  });

  test("serves several accounts from a seed file", async () => {
    const accounts = { "token-a": { rooms: [{ title: "A" }] }, "token-b": { rooms: [{ title: "B" }] } };
    const { url, tokens } = await started("--seed", temporaryFile("seed.json", { accounts }));
    expect(tokens).toEqual(["token-a", "token-b"]);
    for (const token of tokens) {
      const rooms = await fetch(`${url}/rooms`, { headers: { authorization: `Bearer ${token}` } });
      expect(await rooms.json()).toMatchObject({ data: [{ title: token.at(-1)?.toUpperCase() }] });
    }
  });

  test("names the option --cors if the preflight of a page is refused", async () => {
    const { child, url } = await started();
    const headers = { origin: "http://localhost:5173", "access-control-request-method": "GET" };
    const line = printed(child, /--cors http:\/\/localhost:5173/);
    await fetch(`${url}/rooms`, { method: "OPTIONS", headers });
    await line;
  });

  test.each([
    ["exits", false],
    ["keeps running with --detached", true],
  ])("%s when the process that started it has exited", async (_, detached) => {
    const args = [...command, "--port", "0", ...(detached ? ["--detached"] : [])];
    const parent = spawn(
      process.execPath,
      [
        "-e",
        `require("child_process").spawn(process.execPath, ${JSON.stringify(args)}, { stdio: "inherit" }).on("spawn", function () { console.log("pid: " + this.pid + ";"); })`,
      ],
      { cwd: installed },
    );
    const output = await printed(parent, /token: +\S+\n/);
    const pid = Number(/pid: (\d+);/.exec(output)?.[1]);
    onTestFinished(() => void (isRunning(pid) && process.kill(pid, "SIGKILL")));
    expect(isRunning(pid)).toBe(true);
    parent.kill("SIGKILL");
    await once(parent, "exit");
    if (detached) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(isRunning(pid)).toBe(true);
    } else {
      await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
    }
  });
});

describe("notetaker-emulator trigger", () => {
  const endpoint = async (...statuses: number[]) => {
    let count = 0;
    const server = createServer((request, response) => {
      request.resume();
      request.once("end", () => response.writeHead(statuses[count++] ?? 200).end());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}/hooks`;
  };
  const trigger = async (...args: string[]) => {
    const child = spawn(process.execPath, [...command, "trigger", ...args], {
      cwd: installed,
      env: { ...process.env, NOTETAKER_WEBHOOK_SECRET: "whsec_1" },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    const [status] = await once(child, "close");
    return { status, output };
  };

  test("sends an event, retries it, and prints the status and the time", async () => {
    const { status, output } = await trigger(
      "meeting.transcript_ready",
      "--to",
      await endpoint(503, 200),
      "--id",
      "mtg_1",
    );
    expect(output).toMatch(
      /^status 503 after \d+ ms; next attempt in 1 s\nstatus 200 after \d+ ms\naccepted after 2 attempts\n$/,
    );
    expect(status).toBe(0);
  });

  test("exits with 1 if the event is not accepted", async () => {
    const { status, output } = await trigger("meeting.initial_summary_ready", "--to", await endpoint(401));
    expect(output).toMatch(/^status 401 after \d+ ms\nnot accepted after 1 attempt\n$/);
    expect(status).toBe(1);
  });

  test("sends to another host only with --allow", async () => {
    const { status, output } = await trigger("meeting.transcript_ready", "--to", "https://example.com/hooks");
    expect(output).toContain("example.com is not this machine");
    expect(status).toBe(1);
    expect(output).not.toContain("whsec_1");
  });
});

describe("notetaker-emulator capture", () => {
  const file = (name: string) => join(folder, name);
  const capture = async (url: string, token: string, ...args: string[]) => {
    const env = { ...process.env, NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: token };
    const child = spawn(process.execPath, [...command, "capture", ...args], { cwd: installed, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
    const [status] = await once(child, "close");
    return { status, output };
  };

  test("writes a seed file that the emulator can serve, and prints no content of the account", async () => {
    const { url, tokens } = await started("--limits", "none");
    const [token = ""] = tokens;
    const { status, output } = await capture(url, token, "--out", file("captured.json"));
    expect(output).toBe(`captured 5 rooms, 11 meetings in ${file("captured.json")}\n`);
    expect(status).toBe(0);
    const content = readFileSync(file("captured.json"), "utf8");
    expect(content).not.toMatch(/Okafor|Product|Northwind/);
    expect(statSync(file("captured.json")).mode & 0o777).toBe(0o600);
    const again = await started("--seed", file("captured.json"));
    const rooms = await fetch(`${again.url}/rooms`, { headers: again.headers });
    expect(((await rooms.json()) as { data: [] }).data).toHaveLength(5);
  });

  test("replaces a file only with --force, and warns that --keep-content writes private content", async () => {
    const { url, tokens } = await started("--limits", "none");
    const [token = ""] = tokens;
    writeFileSync(file("existing.json"), "old");
    const refused = await capture(url, token, "--out", file("existing.json"));
    expect(refused).toMatchObject({ status: 2, output: expect.stringContaining("--force replaces it") });
    expect(readFileSync(file("existing.json"), "utf8")).toBe("old");
    const args = ["--out", file("existing.json"), "--force", "--rooms", "1", "--keep-content"];
    const { output } = await capture(url, token, ...args);
    expect(output).toMatch(/^captured 1 rooms, 3 meetings in .*\nthe file contains private content/);
    expect(readFileSync(file("existing.json"), "utf8")).toContain("Okafor");
  });

  test("leaves no file if the service fails, and prints no content of the account", async () => {
    const { url, tokens } = await started("--limits", "none", "--control");
    const [token = ""] = tokens;
    await fetch(new URL("/_emulator/faults", url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ route: "GET /meetings/:id/transcript", fault: { status: 500, times: 100 } }),
    });
    const { status, output } = await capture(url, token, "--out", file("failed.json"));
    expect(output).toBe(
      "notetaker-emulator: capture failed: ServerError, status 500, internal_error, GET /meetings/…/transcript; no file was written\n",
    );
    expect(status).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith("failed"))).toEqual([]);
    const unauthorized = await capture(url, "wrong", "--out", file("failed.json"));
    expect(unauthorized).toMatchObject({
      status: 1,
      output: expect.stringContaining("UnauthorizedError, status 401, unauthorized, GET /rooms;"),
    });
    const nowhere = await capture("http://127.0.0.1:4/v1", token, "--out", file("failed.json"));
    expect(nowhere).toMatchObject({
      status: 1,
      output: expect.stringContaining("ConnectionError, GET /rooms: ECONNREFUSED;"),
    });
  });

  test("leaves no file if it is interrupted", async () => {
    const { url, tokens } = await started("--limits", "none", "--control");
    const [token = ""] = tokens;
    await fetch(new URL("/_emulator/faults", url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ route: "GET /webhooks", fault: { delayMs: 60_000 } }),
    });
    const env = { ...process.env, NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: token };
    const child = spawn(process.execPath, [...command, "capture", "--out", file("stopped.json")], {
      cwd: installed,
      env,
    });
    const waiting = async () => {
      const requests = await fetch(new URL("/_emulator/requests", url), {
        headers: { authorization: `Bearer ${token}` },
      });
      return ((await requests.json()) as { path: string }[]).some(({ path }) => path === "/webhooks");
    };
    await expect.poll(waiting, { timeout: 10_000 }).toBe(true);
    child.kill("SIGINT");
    const [status] = await once(child, "close");
    expect(status).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith("stopped"))).toEqual([]);
  });

  test.each([
    [["capture"], "--out is missing"],
    [["capture", "--out", "x.json", "--rooms", "0"], "--rooms: expected an integer from 1 up, received 0"],
    [["capture", "--out", "no/such/folder/x.json"], "the folder of no/such/folder/x.json does not exist"],
    [["capture", "--out", "x.json", "--token", "t"], "Unknown option '--token'"],
  ])("prints one line and exits with an error for %j", (args, message) => {
    const ended = run(args, { NOTETAKER_TOKEN: "token" });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(ended.status).toBe(2);
  });

  test("names the variables to set if there is no token", () => {
    const ended = run(["capture", "--out", file("none.json")], { NOTETAKER_TOKEN: "", NOTETAKER_BASE_URL: "" });
    expect(ended.stderr).toMatch(/NOTETAKER_/);
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(ended.status).toBe(2);
  });
});
