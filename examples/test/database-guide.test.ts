/** The program of docs/database.md, run unchanged: killed, started with an older checkpoint, refused a transcript. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { aDocument } from "notetaker-sdk/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { freePort } from "../../test/support/free-port.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { examples, runFolder } from "./support/run-folder.js";
import { typeErrors } from "./support/type-check.js";

const DAY_MS = 86_400_000;

const [program = "", queue = ""] = codeBlocks()
  .filter(({ at, language }) => at.startsWith("docs/database.md") && language === "javascript")
  .map(({ code }) => code);

/** The part of `node:sqlite` that the program uses: the types of Node 20 lack it. */
const SQLITE_TYPES = `declare module "node:sqlite" {
  type Value = null | number | bigint | string | Uint8Array;
  class DatabaseSync {
    constructor(path: string);
    exec(sql: string): void;
    prepare(sql: string): {
      run(...values: Value[]): unknown;
      get(...values: Value[]): Record<string, Value> | undefined;
      all(...values: Value[]): Record<string, Value>[];
    };
  }
}`;

test("the program of the guide compiles as strict TypeScript", async () => {
  const folder = runFolder();
  writeFileSync(join(folder, "sqlite.d.ts"), SQLITE_TYPES);
  writeFileSync(join(folder, "program.ts"), `${program}${queue}declare function post(text: unknown): Promise<void>;\n`);
  const config = { extends: join(examples, "tsconfig.json"), include: ["*.ts"], exclude: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  expect(await typeErrors(folder)).toBe("");
});

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

describe.runIf(major > 22 || (major === 22 && minor >= 16))("the program of the guide (Node 22.16 and later)", () => {
  /** The program with its account and its database. */
  async function digestService() {
    const { service, env } = await emulatedAccount({ stepTimes: "manual", now: () => Date.now() });
    const folder = runFolder();
    const port = await freePort();
    writeFileSync(join(folder, "program.mjs"), program);
    let child: ChildProcess;
    const start = () => {
      child = spawn(process.execPath, ["program.mjs"], {
        cwd: folder,
        env: { ...process.env, ...env, PORT: String(port) },
        stdio: "inherit",
      });
    };
    const kill = async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    };
    onTestFinished(() => void child.kill("SIGKILL"));
    const { DatabaseSync } = await import("node:sqlite" as string);
    const db = new DatabaseSync(join(folder, "meetings.sqlite"));
    db.exec("PRAGMA busy_timeout = 5000");
    const first = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
    /** Waits until the program has saved the row that `sql` selects: after 60 requests it pauses for a minute. */
    const until = (sql: string) => vi.waitUntil(() => isThere(sql), { timeout: 120_000, interval: 100 });
    const isThere = (sql: string) => {
      try {
        return first(sql) !== undefined;
      } catch {
        return false; // it has not created its tables yet
      }
    };
    const notetaker = new Notetaker({ baseUrl: env.NOTETAKER_BASE_URL ?? "", token: service.token });
    return {
      service,
      db,
      start,
      kill,
      first,
      until,
      upload: () => notetaker.meetings.upload(new Uint8Array(8), { contentType: "audio/wav" }),
      /** Runs the program until it has caught up. */
      async run() {
        const before = isThere("SELECT 1 FROM progress") ? first("SELECT checkpoint FROM progress") : "";
        start();
        const sql = `SELECT 1 FROM progress WHERE checkpoint <> '${before}' AND checkpoint NOT LIKE '%"history"%'`;
        await until(sql);
        await vi.waitUntil(async () => {
          const then = first("SELECT checkpoint FROM progress");
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          return first("SELECT checkpoint FROM progress") === then;
        }, 60_000);
        await kill();
      },
    };
  }

  test("has every meeting after it was killed three times", async () => {
    const { service, start, kill, first, until } = await digestService();
    for (const more of [3, 6, 9]) {
      const end = service.requests.length + more;
      start();
      await vi.waitUntil(() => service.requests.length >= end, 60_000);
      await kill();
    }
    start();
    const all = service.meetings.list();
    const completed = all.filter(({ status }) => status === "completed");
    await until(`SELECT 1 WHERE (SELECT count(*) FROM meetings) = ${all.length}`);
    expect(first("SELECT count(*) FROM meetings WHERE transcript IS NOT NULL")).toBe(completed.length);
  });

  test.each([
    ["an older checkpoint", "UPDATE progress SET checkpoint = ?"],
    ["no checkpoint", "DELETE FROM progress WHERE ? <> ''"],
  ])("stores a late transcript with %s", async (_, lose) => {
    const { service, db, run, first, upload } = await digestService();
    await run();
    const older = first("SELECT checkpoint FROM progress");
    const { id } = await upload();
    await run();
    expect(first(`SELECT complete FROM meetings WHERE id = '${id}'`)).toBe(0);
    db.prepare(lose).run(older);
    await service.meetings.transcribe(id);
    await run();
    expect(first(`SELECT transcript IS NOT NULL FROM meetings WHERE id = '${id}'`)).toBe(1);

    // Complete, and no checkpoint knows it: its summary is stored all the same.
    db.prepare(lose).run(older);
    await run();
    await service.meetings.summarise(id);
    await run();
    expect(first(`SELECT count(*) FROM documents WHERE meeting = '${id}' AND title LIKE '%summary%'`)).toBe(1);
  });

  test("keeps what it has of a renamed meeting whose transcript and documents are refused once", async () => {
    const { service, run, first, upload } = await digestService();
    const { id } = await upload();
    await service.meetings.finish(id);
    await run();
    const count = () => first(`SELECT count(*) FROM documents WHERE meeting = '${id}'`);
    const documents = count();
    expect(documents).toBeGreaterThan(0);
    Object.assign(service.meetings.get(id) as object, { title: "Renamed" });
    service.faults.next("GET /meetings/:id/transcript", { status: 403 });
    service.faults.next("GET /documents/:id", { status: 403, times: Number(documents) });
    await run();
    expect(service.faults.unused()).toEqual([]);
    expect(first(`SELECT title FROM meetings WHERE id = '${id}' AND transcript LIKE '{%'`)).toBe("Renamed");
    expect(count()).toBe(documents);
  });

  test("stores the late summary and the new title of an old meeting, and deletes what is gone, at the next full reading", async () => {
    const { service, db, run, first } = await digestService();
    await run();
    const old = service.meetings
      .list()
      .filter(({ start_time, status }) => status === "completed" && Date.parse(start_time) < Date.now() - 5 * DAY_MS);
    const [late, renamed, gone] = old.map(({ id }) => id);
    service.meetings.addDocument(late!, aDocument({ id: "doc_late", title: "A late summary" }));
    Object.assign(service.meetings.get(renamed!) as object, { title: "Renamed" });
    service.meetings.delete(gone!);
    const readMs = Date.now() - 2 * DAY_MS;
    db.prepare("UPDATE progress SET checkpoint = json_set(checkpoint, '$.read', ?)").run(readMs);
    const before = service.requests.length;
    await run();
    expect(first("SELECT meeting FROM documents WHERE id = 'doc_late'")).toBe(late);
    expect(first(`SELECT title FROM meetings WHERE id = '${renamed}'`)).toBe("Renamed");
    expect(first(`SELECT 1 FROM meetings WHERE id = '${gone}'`)).toBeUndefined();
    // Of the other old meetings nothing was requested again.
    const transcripts = service.requests.slice(before).filter(({ path }) => path.endsWith("/transcript"));
    expect(transcripts.map(({ path }) => path.split("/").at(-2))).toEqual(expect.arrayContaining([late, renamed]));
    expect(transcripts.length).toBeLessThan(old.length);
  });
});
