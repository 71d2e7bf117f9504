/** The programs of docs/database.md, run unchanged. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aDocument } from "notetaker-sdk/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { freePort } from "../../test/support/free-port.js";
import { hasSqlite } from "../../test/support/has-sqlite.js";
import { runProgram } from "../../test/support/run-program.js";
import { deliverOverHttp, emulatedAccount } from "./support/emulated-account.js";
import { examples, runFolder } from "./support/run-folder.js";
import { typeErrors } from "./support/type-check.js";

const blocks = codeBlocks().filter(({ at }) => at.startsWith("docs/database.md"));
const [once5 = "", following = "", outbox = ""] = blocks
  .filter(({ language }) => language === "javascript")
  .map(({ code }) => code);

/** What the outbox of the guide takes as given. */
const OUTBOX = `import { DatabaseSync } from "node:sqlite";
const db = new DatabaseSync("meetings.sqlite");
async function post(content: string) {
  console.log("posted", JSON.stringify(content.slice(0, 9)));
}
`;

test("the programs of the guide compile as strict TypeScript", async () => {
  const folder = runFolder();
  for (const [name, code] of Object.entries({ once5, following, outbox: `${OUTBOX}${outbox}` }))
    writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {};\n`);
  const config = { extends: join(examples, "tsconfig.json"), include: ["*.ts"], exclude: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  expect(await typeErrors(folder)).toBe("");
});

test("the first program has five lines", () => {
  expect(once5.trim().split("\n").filter(Boolean)).toHaveLength(5);
});

describe.runIf(hasSqlite)("the programs of the guide (Node 22.16 and later)", () => {
  /** The programs with their account and their database. */
  async function guide() {
    const { service, env } = await emulatedAccount({ stepTimes: "manual", now: () => Date.now() });
    const folder = runFolder();
    writeFileSync(join(folder, "once.mjs"), once5);
    writeFileSync(join(folder, "following.mjs"), following);
    writeFileSync(join(folder, "outbox.ts"), `${OUTBOX}${outbox}`);
    const { DatabaseSync } = await import("node:sqlite" as string);
    const rows = (sql: string): Record<string, unknown>[] => {
      const db = new DatabaseSync(join(folder, "meetings.sqlite"));
      try {
        return db.prepare(sql).all();
      } catch {
        return []; // it has not made its tables yet
      } finally {
        db.close();
      }
    };
    const run = async (file: string) => {
      const { output, exitCode } = await runProgram(file, [], env, folder);
      expect(exitCode, output).toBe(0);
      return output.split("\n").filter((line) => line.startsWith("posted"));
    };
    const start = async () => {
      const port = await freePort();
      const child = spawn(process.execPath, ["following.mjs"], {
        cwd: folder,
        env: { ...process.env, ...env, PORT: String(port) },
        stdio: "inherit",
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      const kill = async () => {
        child.kill("SIGKILL");
        await once(child, "exit");
        // As three minutes later: the lease of the killed program has ended.
        rows("UPDATE notetaker_accounts SET holder = NULL RETURNING 1");
      };
      const stop = async () => {
        child.kill("SIGTERM");
        return (await once(child, "exit"))[0];
      };
      return { url: `http://127.0.0.1:${port}/`, kill, stop };
    };
    return { service, rows, run, start };
  }

  test("the first one has every meeting, and a second run requests only the list", async () => {
    const { service, rows, run } = await guide();
    await run("once.mjs");
    const all = service.meetings.list();
    expect(rows("SELECT id FROM notetaker_meetings ORDER BY id").map(({ id }) => id)).toEqual(
      all.map(({ id }) => id).sort(),
    );
    const completed = all.filter(({ status }) => status === "completed");
    expect(rows("SELECT 1 FROM notetaker_meetings WHERE transcript IS NOT NULL")).toHaveLength(completed.length);
    expect(rows("SELECT DISTINCT meeting_id FROM notetaker_segments")).toHaveLength(completed.length);
    expect(rows("SELECT * FROM notetaker_documents").length).toBeGreaterThan(5);
    const before = service.requests.length;
    await run("once.mjs");
    expect(new Set(service.requests.slice(before).map(({ route }) => route))).toEqual(new Set(["GET /meetings"]));
  });

  test("the one that follows has every meeting after it was killed three times, and an event brings its meeting", async () => {
    const { service, rows, start } = await guide();
    for (const more of [3, 6, 9]) {
      const end = service.requests.length + more;
      const program = await start();
      await vi.waitUntil(() => service.requests.length >= end, 60_000);
      await program.kill();
    }
    const { url, stop } = await start();
    deliverOverHttp(service, url);
    const all = service.meetings.list();
    const stored = () => rows("SELECT id FROM notetaker_meetings").length;
    await vi.waitUntil(() => stored() === all.length, { timeout: 120_000, interval: 100 });
    const { id } = all.find(({ status }) => status === "processing")!;
    await service.meetings.transcribe(id);
    const sql = `SELECT 1 FROM notetaker_meetings WHERE id = '${id}' AND transcript IS NOT NULL`;
    await vi.waitUntil(() => rows(sql).length > 0, { timeout: 120_000, interval: 100 });
    expect(await stop()).toBe(0);
    // The next run does not wait for it.
    expect(rows("SELECT holder FROM notetaker_accounts")).toEqual([{ holder: null }]);
  });

  test("the outbox posts each summary once, and then only what is new", async () => {
    const { service, rows, run } = await guide();
    await run("once.mjs");
    const summaries = rows("SELECT id FROM notetaker_documents WHERE title LIKE '%summary%'").length;
    expect(summaries).toBeGreaterThan(3);
    expect(await run("outbox.ts")).toHaveLength(summaries);
    expect(await run("outbox.ts")).toHaveLength(0);
    const { id } = service.meetings.list().find(({ status }) => status === "processing")!;
    await service.meetings.finish(id);
    service.meetings.addDocument(id, aDocument({ id: "doc_late", title: "A late summary" }));
    await run("once.mjs");
    expect(await run("outbox.ts")).toHaveLength(2);
  });
});

test("the guide's NDJSON archive resumes after a kill, and starts a new walk after a complete one", async () => {
  const { service, env } = await emulatedAccount({ stepTimes: "manual" });
  const folder = runFolder();
  const program = blocks.find(({ code }) => code.includes('open("meetings.ndjson"'))?.code ?? "";
  const client = `import { Notetaker } from "notetaker-sdk";\nconst notetaker = new Notetaker();\n`;
  writeFileSync(join(folder, "program.ts"), `${client}${program}`);
  const archive = join(folder, "meetings.ndjson");
  const lines = () => readFileSync(archive, "utf8").trim().split("\n");
  const run = async () => {
    const { output, exitCode } = await runProgram("program.ts", [], env, folder);
    expect(exitCode, output).toBe(0);
    service.clock.advance(60_000);
  };
  const ids = () => lines().flatMap((line) => JSON.parse(line).meeting?.id ?? []);
  const all = service.meetings
    .list()
    .map(({ id }) => id)
    .sort();

  await run();
  expect(ids().sort()).toEqual(all);
  expect(lines().at(-1)).toBe("{}");

  // The file as a kill leaves it: four lines, and half of the fifth.
  const whole = lines();
  writeFileSync(archive, `${whole.slice(0, 4).join("\n")}\n`);
  appendFileSync(archive, whole[4]?.slice(0, 40) ?? "");
  const before = service.requests.length;
  await run();
  expect(ids().sort()).toEqual(all);
  expect(service.requests.length - before).toBeLessThan(before);

  // The previous walk was complete, so a new walk finds a new meeting.
  await run();
  expect(lines()).toHaveLength(2 * (all.length + 1));
});
