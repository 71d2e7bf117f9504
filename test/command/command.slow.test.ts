/** `npx notetaker-sdk`: what it prints by itself, its exit codes, and how each command ends. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../src/configuration/version.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { type Environment, runCommand, silentService, startCommand } from "./support.js";

const HOOKS = "http://127.0.0.1:1";
const TRIGGER = ["trigger", "meeting.transcript_ready", "--to"];
const EMULATOR_WEBHOOK = ["emulator", "--webhook", HOOKS, "--webhook-secret"];
const SYNC = ["sync", "--into", "./folder"];
const COMMANDS = ["emulator", "trigger", "search", "sync", "listen", "doctor", "mcp"];
const TOKEN = "tok_secret_0123456789";
const BLANK = { NOTETAKER_WEBHOOK_SECRET: " " };
const ACCOUNT = { NOTETAKER_TOKEN: TOKEN, NOTETAKER_BASE_URL: "http://127.0.0.1:1/v1" };

describe("npx notetaker-sdk", () => {
  it.each([[[]], [["--help"]], [["-h"]]])("%j lists the commands, first those that need no account", async (args) => {
    const { exitCode, stdout, stderr } = await runCommand(args);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect([...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)).toEqual(COMMANDS);
  });

  it("--version prints the version, also after a command", async () => {
    const printed = { exitCode: 0, stdout: `${VERSION}\n`, stderr: "" };
    expect(await runCommand(["--version"])).toEqual(printed);
    for (const name of COMMANDS) expect(await runCommand([name, "--version"])).toEqual(printed);
  });

  it.each(COMMANDS)("%s --help needs no variable, and names every option of the command", async (name) => {
    const { exitCode, stdout, stderr } = await runCommand([name, "--help"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^npx notetaker-sdk ${name} [^]*xit code 0`));
    const refused = await runCommand([name, "--nothing"]);
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  });

  it.each<[string[], string, Environment?]>([
    [
      ["search", "renewal", "-draft", "--in", "x.db"],
      'quote the query, and begin it with what you look for: "renewal -draft"',
    ],
    [["search", "-draft", "--in", "x.db"], "quote the query"],
    [["emulater"], "unknown command; did you mean emulator?"],
    [[TOKEN], "unknown command; expected one of emulator, trigger,"],
    [["--port", "4010"], 'the command comes before its options; did you mean "notetaker-sdk emulator …"?'],
    [["--json=1", "doctor"], 'did you mean "notetaker-sdk doctor …"?'],
    [["--versoin"], 'did you mean "--version"?'],
    [["-v"], 'did you mean "--version"?'],
    [["emulator", "--limts", "1"], "unknown option; did you mean --limits?"],
    [["emulator", "--port", "1e9"], "--port: expected a number from 0 to 65535; see"],
    [["emulator", "--speed", "0"], "--speed: expected a number above 0; see"],
    [["emulator", "--limits", "some"], "--limits: expected one of specified, all, none; see"],
    [["emulator", "--webhook-secret", TOKEN], "--webhook-secret needs --webhook"],
    [[...EMULATOR_WEBHOOK, " "], "--webhook-secret: expected a string that"],
    [[...EMULATOR_WEBHOOK, `a ${TOKEN}`], "no white space inside a secret"],
    [["emulator", "--webhook", "http://example.com/hooks"], "webhooks[0].url: expected an absolute https: URL"],
    [["emulator", "--port", "0", "--host", "192.0.2.1"], "--host: expected an address of this machine; see"],
    [["emulator", "--seed", "nowhere.json"], "--seed: the file could not be read: ENOENT"],
    [["trigger"], "expected one kind of event"],
    [["trigger", "meeting.transcript_redy"], "did you mean meeting.transcript_ready?"],
    [["trigger", "meeting.transcript_ready"], "--to is missing"],
    [[...TRIGGER, HOOKS], "set NOTETAKER_WEBHOOK_SECRET"],
    [[...TRIGGER, HOOKS], "NOTETAKER_WEBHOOK_SECRET: expected a", BLANK],
    [[...TRIGGER, `http://a:${TOKEN}@127.0.0.1:1`], "--to: expected an http: or https: URL"],
    [["listen"], "--to is missing"],
    [["listen", "--to", HOOKS], "set NOTETAKER_WEBHOOK_SECRET"],
    [["listen", "--to", HOOKS], "set NOTETAKER_TOKEN", { NOTETAKER_WEBHOOK_SECRET: TOKEN }],
    [["listen", "--to", `http://a:${TOKEN}@127.0.0.1:1`], "--to: expected an http: or https: URL"],
    [["listen", "--to", HOOKS, "--poll", "4"], "--poll: expected seconds from 5 to 3600; see"],
    [["listen", "--to", HOOKS, "--since", "2026-02-30T09:00:00Z"], "--since: expected a day YYYY-MM-DD"],
    [["synk"], "unknown command; did you mean sync?"],
    [["sync"], "--into is missing: meetings.sqlite, ./folder/ or postgres://…"],
    [SYNC, "set NOTETAKER_TOKEN"],
    [SYNC, "set NOTETAKER_BASE_URL, or give --base-url;", { NOTETAKER_TOKEN: TOKEN }],
    [[...SYNC, "--since", "soon"], "--since: expected a day YYYY-MM-DD"],
    [[...SYNC, "--since", "2026-02-30"], "--since: expected a day YYYY-MM-DD", ACCOUNT],
    [[...SYNC, "--documents", "markdwon"], "--documents: unknown format; did you mean markdown?"],
    [["sync", "--into", ":memory:"], "--into: a database in memory would be lost at the end; write", ACCOUNT],
    [["sync", "--into", "sqlite::memory:"], "--into: a database in memory would be lost", ACCOUNT],
    [[...SYNC, "--keep-days", "0.5"], "--keep-days: expected a whole number from 1 up"],
    [[...SYNC, "--requests-per-minute", "0"], "--requests-per-minute: expected a whole number from 1 up"],
    [[...SYNC, "--folow"], "unknown option; did you mean --follow?"],
    [["sync", "--into", ""], "--into: expected meetings.sqlite, ./folder/ or postgres://…", ACCOUNT],
    [["sync", "--into", `mysql://a:${TOKEN}@b`], "--into: expected meetings.sqlite, ./folder/ or postgres", ACCOUNT],
    [["sync", "--into", `postgres://a:${TOKEN}/@b`], "--into: expected postgres://user:password@host", ACCOUNT],
    [["sync", "--into", `postgresql://a:#${TOKEN}@b/c`], "--into: expected postgres://user:password@host", ACCOUNT],
    [["sync", "--into", "sqlite:"], "--into: expected the path of a file after sqlite:", ACCOUNT],
    [["sync", "--into", "postgres://127.0.0.1:1/b", "--recordings"], "only a folder keeps recordings", ACCOUNT],
    [["doctor", TOKEN], "tokens and secrets are read only from environment variables"],
    [["doctor"], "set NOTETAKER_TOKEN;"],
    [["doctor"], "set NOTETAKER_BASE_URL, or give --base-url;", { NOTETAKER_TOKEN: TOKEN }],
    [["doctor", `--token=${TOKEN}`], "tokens and secrets are read only from environment variables", ACCOUNT],
    [["doctor", "--base-url"], "argument missing", ACCOUNT],
    [["doctor", "--base-url", `https://user:${TOKEN}@a.example/v1`], "must not contain credentials", ACCOUNT],
    [["doctor"], "GET /rooms", ACCOUNT],
    [["mcp"], "set NOTETAKER_TOKEN and NOTETAKER_BASE_URL, or add --emulator"],
    [["mcp", "--emulator", "--only", "send_bot"], "--only: send_bot may change the account; add --write"],
    [["mcp", "--emulator", "--only", "get_transcripts"], "did you mean get_transcript?"],
    [["mcp", "--base-url", "nonsense"], "set NOTETAKER_TOKEN, or add --emulator"],
  ])("%j fails in one line, with exit code 2 and without the token", async (args, message, env) => {
    const { exitCode, stdout, stderr } = await runCommand(args, env);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    const [name = ""] = args;
    expect(stderr).toMatch(new RegExp(`^notetaker-sdk${COMMANDS.includes(name) ? ` ${name}` : ""}: [^\n]+\n$`));
    expect(stderr).not.toContain(TOKEN);
  });

  it("emulator --seed reads a file with a byte order mark, and repeats nothing of a file that is not JSON", async () => {
    const seed = join(temporaryFolder(), "seed.json");
    const failureOf = async (content: string | Buffer) => {
      writeFileSync(seed, content);
      const { exitCode, stderr } = await runCommand(["emulator", "--port", "0", "--seed", seed]);
      return [exitCode, stderr];
    };
    expect(await failureOf('\ufeff{"romes": []}')).toEqual([2, expect.stringContaining("romes: unknown field")]);
    const refused = [2, "notetaker-sdk emulator: --seed: expected a file of JSON in UTF-8; see --help\n"];
    expect(await failureOf(`NOTETAKER_TOKEN=${TOKEN}`)).toEqual(refused);
    expect(await failureOf(TOKEN.slice(4))).toEqual(refused);
    expect(await failureOf(Buffer.from('\ufeff{"rooms": []}', "utf16le"))).toEqual(refused);
  });

  /** Values with which a command gets as far as it can, without leaving this machine. */
  const NEEDED: Readonly<Record<string, string[]>> = {
    emulator: ["--port", "0", "--webhook", "http://127.0.0.1:1"],
    trigger: ["meeting.transcript_ready", "--to", "http://127.0.0.1:1"],
    sync: ["--into", "postgres://127.0.0.1:1/meetings"],
    listen: ["--to", "http://127.0.0.1:1"],
  };
  /** A path that is a secret would be the name of a folder. */
  const VALUES: Readonly<Record<string, string>> = { "--into": `postgres://user:${TOKEN}@127.0.0.1:1/meetings` };
  const ENV = { NOTETAKER_TOKEN: "t", NOTETAKER_BASE_URL: "http://127.0.0.1:1/v1", NOTETAKER_WEBHOOK_SECRET: "s" };
  /** It prints this one for users to copy. */
  const PRINTED = ["--token"];

  it.each(["", ...COMMANDS])(
    "%s does not repeat a secret that is passed by mistake, wherever it stands",
    async (name) => {
      const { stdout: help } = await runCommand([name, "--help"].filter(Boolean));
      const needed = NEEDED[name] ?? [];
      const mistakes = [[TOKEN], [...needed, TOKEN], [`--${TOKEN}`], [`--${TOKEN}=1`], [...needed, `-${TOKEN}`]];
      for (const [, option = "", value] of help.matchAll(/^ {2}(--[a-z-]+)( <)?/gm)) {
        if (!PRINTED.includes(option))
          mistakes.push([...needed, ...(value ? [option, VALUES[option] ?? TOKEN] : [`${option}=${TOKEN}`])]);
      }
      for (const args of mistakes) {
        const signal = AbortSignal.timeout(200);
        const { stdout, stderr } = await runCommand([name, ...args].filter(Boolean), ENV, { signal });
        expect(stdout + stderr).not.toContain(TOKEN);
      }
    },
  );
});

describe("the program", () => {
  it("prints one line without a stack for a wrong argument", async () => {
    const { output, ended } = await startCommand(["doctor", "--nothing"]);
    expect(await ended).toBe(2);
    expect(output.stdout).toBe("");
    expect(output.stderr).toMatch(/^notetaker-sdk doctor: [^\n]+; see --help\n$/);
  });

  it.each<[string, string[], number]>([
    ["trigger", ["meeting.transcript_ready", "--to"], 1],
    ["doctor", [], 2],
    ["listen", ["--to"], 0],
  ])("Ctrl-C ends %s during a request, in one line", async (name, args, expected) => {
    const { server, url, env } = await silentService(TOKEN);
    const requested = once(server, "request");
    const { child, output, ended } = await startCommand([name, ...args, ...(args.at(-1) === "--to" ? [url] : [])], env);
    await Promise.race([requested, ended]);
    child.kill("SIGINT");
    expect(await ended).toBe(expected);
    const message =
      expected === 0 ? "reading the meetings of the last three days" : `notetaker-sdk ${name}: interrupted`;
    expect(output.stderr).toMatch(new RegExp(`^${message}[^\n]*\n$`));
    expect(output.stdout + output.stderr).not.toContain(TOKEN);
  });

  it("the emulator prints the token, the webhooks and the made-up secrets of each account", async () => {
    const seed = join(temporaryFolder(), "seed.json");
    writeFileSync(seed, JSON.stringify({ accounts: { a: {}, b: {} } }));
    const webhooks = ["a=http://127.0.0.1:1/a", "http://127.0.0.1:1/all"].flatMap((url) => ["--webhook", url]);
    const args = ["emulator", "--port", "0", "--control", "--seed", seed, ...webhooks, "--webhook-secret", "whsec_own"];
    const signal = AbortSignal.timeout(200);
    const { stdout } = await runCommand(args, {}, { signal });
    const own = ["webhook: http://127.0.0.1:1/a"];
    const all = ["webhook: http://127.0.0.1:1/all", expect.stringMatching(/^secret: {2}whsec_[\w-]{36}$/)];
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^address: http:\/\/127\.0\.0\.1:\d+\/v1$/),
      expect.stringMatching(/^control: http:\/\/127\.0\.0\.1:\d+\/_emulator$/),
      ...["token:   a", ...own, ...all],
      ...["token:   b", ...all],
    ]);
  });

  it("says which Node it needs, in one line", async () => {
    const old = "Object.defineProperty(process.versions, 'node', { value: '16.20.2' })";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(old)}`;
    const { output, ended } = await startCommand(["mcp", "--emulator"], { NODE_OPTIONS });
    expect(await ended).toBe(2);
    expect(output).toEqual({ stdout: "", stderr: "notetaker-sdk needs Node 20.3 or later; this is Node 16.20.2\n" });
  });

  it("goes on when the reader of its output is gone, until a signal ends it with exit code 0", async () => {
    const { child, output, ended } = await startCommand(["emulator", "--port", "0"]);
    await expect.poll(() => output.stdout, { timeout: 60_000 }).toMatch(/token: +\S+\n/);
    child.stdout?.destroy();
    const [, url = ""] = /^address: (\S+)$/m.exec(output.stdout) ?? [];
    for (const _ of [1, 2, 3]) expect((await fetch(`${url}/rooms`)).status).toBe(401);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(output.stderr).toBe("");
  });
});
