/** `npx notetaker-sdk sync`: where it stores the meetings of an account, what it prints, and its exit codes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import { aMeeting, type EmulatorOptions } from "notetaker-sdk/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ProgressLine } from "../../src/command/sync-progress.js";
import { failingFiles } from "../node/support/failing-files.js";
import { locked } from "../node/support/store-items.js";
import { hasSqlite } from "../support/has-sqlite.js";
import { servedEmulator } from "../support/served-emulator.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { runCommand } from "./support.js";

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const past = (id: string, hours: number) =>
  aMeeting({ id, title: `Title of ${id}`, start_time: hoursAgo(hours), end_time: hoursAgo(hours - 1) });
const MEETINGS = [past("mtg_1", 50), past("mtg_2", 2_000)];

async function account(options: EmulatorOptions = {}) {
  const folder = temporaryFolder();
  return {
    folder,
    ...(await servedEmulator({ seed: { meetings: MEETINGS }, stepTimes: "manual", limits: "none", ...options })),
  };
}

const titlesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith("meeting.json"))
    .map((path) => JSON.parse(readFileSync(join(folder, path), "utf8")).title)
    .sort();

afterEach(() => void vi.useRealTimers());

describe("npx notetaker-sdk sync", () => {
  it("fills a folder, says what it did, and finds nothing new in the next run", async () => {
    const { folder, env } = await account();
    const first = await runCommand(["sync", "--into", folder], env);
    expect(first.exitCode).toBe(0);
    expect(first.stdout).toMatch(/^2 meetings read, 2 changed, 0 pieces missing \(0 due again\), \d+ requests\n$/);
    expect(titlesIn(folder)).toEqual(["Title of mtg_1", "Title of mtg_2"]);
    const second = await runCommand(["sync", "--into", `${folder}/`], env);
    expect(second.stdout).toContain("0 meetings read, 0 changed,");
    expect(second.exitCode).toBe(0);
  });

  it("reads what --since, --documents and --recordings say", async () => {
    const { folder, service, env } = await account();
    const { exitCode } = await runCommand(
      ["sync", "--into", folder, "--since", hoursAgo(100), "--documents", "html, raw", "--recordings"],
      env,
    );
    expect(exitCode).toBe(0);
    expect(titlesIn(folder)).toEqual(["Title of mtg_1"]);
    const formats = service.requests
      .filter(({ path }) => path.startsWith("/documents/"))
      .map(({ query }) => new URLSearchParams(query).get("format"));
    expect(new Set(formats)).toEqual(new Set(["html", "raw"]));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(files.filter((path) => path.endsWith("recording.wav"))).toHaveLength(1);
  });

  it("removes what the service no longer has only with --prune", async () => {
    const { folder, service, env } = await account();
    await runCommand(["sync", "--into", folder], env);
    service.meetings.delete("mtg_2");
    // Another period begins another full pass.
    const marked = await runCommand(["sync", "--into", folder, "--since", "2020-01-01"], env);
    expect([marked.exitCode, titlesIn(folder)]).toEqual([0, ["Title of mtg_1", "Title of mtg_2"]]);
    const removed = await runCommand(["sync", "--into", folder, "--since", "2020-01-01", "--prune"], env);
    expect(removed.stdout).toContain("1 removed");
    expect(titlesIn(folder)).toEqual(["Title of mtg_1"]);
  });

  it("says what it did not remove, and by which flag it does", async () => {
    const meetings = Array.from({ length: 12 }, (_, index) => past(`mtg_${index}`, 100 + index));
    const { folder, service, env } = await account({ seed: { meetings } });
    await runCommand(["sync", "--into", folder], env);
    for (const { id } of meetings.slice(0, 10)) service.meetings.delete(id);
    const kept = await runCommand(["sync", "--into", folder, "--since", "2020-01-01", "--prune"], env);
    expect(kept.stdout).toContain(
      "not removed: 10 of 12 meetings are no longer listed, more than a tenth: they are kept, and marked as gone; --prune-all removes what is marked as gone\n",
    );
    expect(titlesIn(folder)).toHaveLength(12);
    const removed = await runCommand(["sync", "--into", folder, "--since", "2020-01-01", "--prune-all"], env);
    expect(removed.stdout).toContain("10 removed");
    expect(titlesIn(folder)).toHaveLength(2);
  });

  it("exits with 0 if something is due again, and names its meeting by its id, and by its title with --verbose", async () => {
    const late = { ...past("mtg_late", 1), title: "Late\n\x1b[2Jmeeting", transcript: null };
    const { folder, env } = await account({ seed: { meetings: [late] } });
    const { exitCode, stdout } = await runCommand(["sync", "--into", folder], env);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^missing: mtg_late: transcript: [^\n]+; it is requested again by a later run\n1 meeting read, 1 changed, 1 piece missing \(1 due again\), \d+ requests\n$/,
    );
    const again = ["sync", "--into", folder, "--since", "2020-01-01"];
    const verbose = await runCommand([...again, "--verbose"], env);
    expect(verbose.stdout).toContain("missing: mtg_late (Late [2Jmeeting): transcript");
  });

  it("does not list what a meeting lacks that has not begun", async () => {
    const next = aMeeting({ id: "mtg_next", status: "scheduled", start_time: hoursAgo(-24), transcript: null });
    const { folder, env } = await account({ seed: { meetings: [next] } });
    const { exitCode, stdout } = await runCommand(["sync", "--into", folder], env);
    expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining("missing:")]);
  });

  it("prints the result as one line of JSON with --json, without titles, and no progress with --quiet", async () => {
    const late = { ...past("mtg_late", 1), title: "Confidential", transcript: null };
    const { folder, env } = await account({ seed: { meetings: [late] } });
    const { stdout, stderr } = await runCommand(["sync", "--into", folder, "--json", "--quiet"], env, { isTTY: true });
    expect([stdout.indexOf("\n"), stderr]).toEqual([stdout.length - 1, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      ended: "done",
      changed: 1,
      missing: [{ meeting_id: "mtg_late", what: "transcript", retryable: true }],
    });
    expect(stdout).not.toContain("Confidential");
  });

  it("forgets with --keep-days what began longer ago, and does not read it again", async () => {
    const { folder, service, env } = await account();
    await runCommand(["sync", "--into", folder], env);
    const kept = await runCommand(["sync", "--into", folder, "--keep-days", "30"], env);
    expect([kept.exitCode, kept.stdout]).toEqual([0, expect.stringContaining(", 1 forgotten,")]);
    expect(titlesIn(folder)).toEqual(["Title of mtg_1"]);
    const before = service.requests.length;
    const again = await runCommand(["sync", "--into", folder], env);
    expect([again.exitCode, titlesIn(folder)]).toEqual([0, ["Title of mtg_1"]]);
    const later = service.requests.slice(before).filter(({ path }) => path.includes("mtg_2"));
    expect(later).toEqual([]);
  });

  it("syncs, says what --keep-days could not forget, and exits with 1", async () => {
    const { folder, env } = await account();
    await runCommand(["sync", "--into", folder], env);
    const [file = ""] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith("mtg_2/meeting.json"),
    );
    {
      using _disk = failingFiles(join(folder, file), "EIO", 1, { times: 99 });
      const kept = await runCommand(["sync", "--into", folder, "--keep-days", "30", "--quiet"], env);
      const refusal = /^notetaker-sdk sync: mtg_2 could not be forgotten: EIO: [^\n]+\n$/;
      expect(kept).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(refusal) });
      expect(kept.stdout).toContain("1 meeting read");
    }
    const next = await runCommand(["sync", "--into", folder], env);
    expect([next.exitCode, titlesIn(folder)]).toEqual([0, ["Title of mtg_1"]]);
  });

  it("sends only as many requests a minute as --requests-per-minute says", async () => {
    const { folder, service, env } = await account();
    const controller = new AbortController();
    const args = ["sync", "--into", folder, "--requests-per-minute", "2"];
    const running = runCommand(args, env, { signal: controller.signal });
    await expect.poll(() => service.requests.length, { timeout: 60_000 }).toBeGreaterThan(1);
    await new Promise((resolve) => setTimeout(resolve, 200));
    controller.abort();
    await running;
    // One of them, without the token, asked whether it is an emulator; with a pace of its own, none did.
    expect(service.requests.length).toBe(2);
  });

  it("exits with 75 and sends nothing if another run holds the store", async () => {
    const { folder, service, env } = await account();
    const lock = await folderStore(folder).lock();
    if (!("release" in lock)) throw new Error("held");
    const controller = new AbortController();
    const running = runCommand(["sync", "--into", folder], env, { signal: controller.signal });
    // It waits for a run that may have been killed, until this one shows that it lives.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(service.requests.filter(({ path }) => path.startsWith("/meetings"))).toEqual([]);
    controller.abort();
    expect(await running).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("interrupted") });
    await lock.release();
  });

  it("exits with 75 if another run holds the folder in which --keep-days forgets, and ends at once if interrupted", async () => {
    const { folder, env } = await account();
    await runCommand(["sync", "--into", folder], env);
    const lock = await locked(folderStore(folder));
    const args = ["sync", "--into", folder, "--keep-days", "30", "--requests-per-minute", "60"];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const controller = new AbortController();
    const interrupted = runCommand(args, env, { signal: controller.signal });
    await vi.advanceTimersByTimeAsync(1_000);
    controller.abort();
    expect(await interrupted).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("interrupted") });
    let isDone = false;
    const busy = runCommand(args, env).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await vi.advanceTimersByTimeAsync(1_000);
      await new Promise(setImmediate);
    }
    expect(await busy).toMatchObject({ exitCode: 75, stderr: expect.stringContaining("held by another run") });
    await lock.release();
  });

  it("exits with 75 if the database is away, and prints no password", async () => {
    const { env } = await account();
    const into = "postgres://user:secret_word@127.0.0.1:1/db";
    const { exitCode, stdout, stderr } = await runCommand(["sync", "--into", into], env);
    expect(exitCode).toBe(75);
    expect(stdout + stderr).not.toContain("secret_word");
  });

  it("exits with 2 if the service refuses the token", async () => {
    const { folder, env } = await account();
    const { exitCode, stderr } = await runCommand(["sync", "--into", folder], { ...env, NOTETAKER_TOKEN: "wrong" });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("the service refuses NOTETAKER_TOKEN (401)")]);
  });

  it("takes ~ for the home folder", async () => {
    const { folder, env } = await account();
    const { exitCode } = await runCommand(["sync", "--into=~/meetings"], { ...env, HOME: folder });
    expect([exitCode, titlesIn(join(folder, "meetings"))]).toEqual([0, ["Title of mtg_1", "Title of mtg_2"]]);
  });

  it.runIf(hasSqlite).each(["meetings.sqlite", "meetings.sqlite3", "meetings.db"])(
    "fills the SQLite file %s, which another program can read",
    async (name) => {
      const { folder, env } = await account();
      const path = join(folder, name);
      const { exitCode, stdout } = await runCommand(["sync", "--into", path], env);
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining("2 meetings read")]);
      const { DatabaseSync } = await import("node:sqlite" as string);
      const db = new DatabaseSync(path);
      const rows = db.prepare("SELECT title FROM notetaker_meetings WHERE complete = 1 ORDER BY id").all();
      expect(rows.map(({ title }: { title: string }) => title)).toEqual(["Title of mtg_1", "Title of mtg_2"]);
      db.close();
      const again = await runCommand(["sync", "--into", `sqlite:${path}`], env);
      expect(again.stdout).toContain("0 changed");
    },
  );

  it.runIf(!hasSqlite)("says what SQLite needs if there is neither node:sqlite nor better-sqlite3", async () => {
    const { folder, env } = await account();
    const { exitCode, stderr } = await runCommand(["sync", "--into", join(folder, "meetings.sqlite")], env);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining("npx -p notetaker-sdk -p better-sqlite3 notetaker"),
    ]);
  });

  it("shows one line on a terminal, and removes it at the end", async () => {
    const { folder, env } = await account();
    const { stderr, stdout } = await runCommand(["sync", "--into", folder], env, { isTTY: true });
    expect(stderr).not.toContain("\n");
    const lines = stderr.split("\r\x1b[K");
    expect(lines).toContainEqual(expect.stringMatching(/^\d meetings?, 0 missing, \d requests?$/));
    expect(lines.at(-1)).toBe("");
    expect(stdout).toContain("2 meetings read");
  });
});

describe("the progress of npx notetaker-sdk sync", () => {
  const written = (isTTY: boolean) => {
    const texts: string[] = [];
    const line = new ProgressLine({ write: (text) => texts.push(String(text)), isTTY });
    const show = (progress: Partial<Parameters<typeof line.show>[0]>) =>
      line.show({ phase: "history", meetings: 0, changed: 0, missing: 0, requests: 0, ...progress });
    return { show, texts };
  };

  it.each([
    [{ meetings: 1_000, missing: 3, requests: 12 }, "1,000 meetings, 3 missing, 12 requests"],
    [
      { phase: "waiting", waitsFor: "store", waitMs: 120_000 },
      "0 meetings, 0 missing, 0 requests, waiting 2 min for the store",
    ],
    [
      { phase: "waiting", waitsFor: "rate_limit", waitMs: 12_000 },
      "0 meetings, 0 missing, 0 requests, waiting 12 s for the rate limit",
    ],
    [{ phase: "waiting", waitsFor: "rate_limit", waitMs: 500 }, "0 meetings, 0 missing, 0 requests"],
    [{ phase: "idle" }, "0 meetings, 0 missing, 0 requests, up to date"],
  ] as const)("is one line for %o", (progress, line) => {
    const { show, texts } = written(true);
    show(progress);
    expect(texts).toEqual([`\r\x1b[K${line}`]);
  });

  it("prints no more than a line a minute where there is no terminal", () => {
    const { show, texts } = written(false);
    for (let meetings = 0; meetings < 50; meetings += 1) show({ meetings });
    expect(texts).toEqual(["0 meetings, 0 missing, 0 requests\n"]);
  });
});

it("the store is the one of syncMeetings: a program can go on with it", async () => {
  const { folder, env } = await account();
  await runCommand(["sync", "--into", folder], env);
  const notetaker = new Notetaker({ baseUrl: env.NOTETAKER_BASE_URL, token: env.NOTETAKER_TOKEN });
  expect(await syncMeetings(notetaker, { into: folderStore(folder) })).toMatchObject({ ended: "done", changed: 0 });
});
