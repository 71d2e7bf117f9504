/** The programs of docs/database.md, run unchanged. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aDocument, aMeeting, aWebhook } from "notetaker-sdk/testing";
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
const [, , account = "", refused = ""] = process.argv;
const isRefused = (error: unknown) => error instanceof RangeError;
async function post(content: string) {
  if (refused !== "" && content.includes(refused)) throw new RangeError("too long");
  console.log("posted", JSON.stringify(content.slice(0, 20)));
}
`;
const CALL = "await postSummaries(account);\n";

/** Few meetings: a run does not wait long for its pace. */
const ACCOUNT = {
  meetings: [
    ...["mtg_1", "mtg_2", "mtg_3"].map((id) => aMeeting({ id })),
    { id: "mtg_4", status: "processing" as const },
  ],
  webhooks: [aWebhook({ url: "https://app.example.com/hooks" })],
};

test("the programs of the guide compile as strict TypeScript", async () => {
  const folder = runFolder();
  for (const [name, code] of Object.entries({ once5, following, outbox: `${OUTBOX}${outbox}${CALL}` }))
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
    const { service, env } = await emulatedAccount({ seed: ACCOUNT, stepTimes: "manual", now: () => Date.now() });
    const folder = runFolder();
    writeFileSync(join(folder, "once.mjs"), once5);
    writeFileSync(join(folder, "following.mjs"), following);
    writeFileSync(join(folder, "outbox.ts"), `${OUTBOX}${outbox}${CALL}`);
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
    const run = async (file: string, ...args: string[]) => {
      const { output, exitCode } = await runProgram(file, args, env, folder);
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

  test("the outbox posts each summary once, for each account, and puts aside what is refused", async () => {
    const { service, rows, run } = await guide();
    await run("once.mjs");
    const summaries = rows("SELECT id FROM notetaker_documents WHERE kind = 'summary'").length;
    expect(summaries).toBe(3);
    expect(await run("outbox.ts")).toHaveLength(summaries);
    expect(await run("outbox.ts")).toHaveLength(0);
    const { id } = service.meetings.list().find(({ status }) => status === "processing")!;
    await service.meetings.finish(id);
    service.meetings.addDocument(
      id,
      aDocument({ id: "doc_late", title: "A late summary", blocks: [{ type: "paragraph", text: "far too long" }] }),
    );
    await run("once.mjs");
    expect(await run("outbox.ts", "", "too long")).toHaveLength(1);
    expect(rows("SELECT id, error FROM put_aside")).toMatchObject([{ id: "doc_late", error: "RangeError: too long" }]);
    expect(await run("outbox.ts")).toHaveLength(0);
    // Another account, whose versions are lower: two formats of a document, and a meeting of the same version.
    const document = "'doc_b', 'markdown', 'Summary', 'summary', NULL, 1, 'text'";
    for (const values of [document, document.replace("markdown", "html"), document.replace("doc_b", "doc_a")])
      rows(`INSERT INTO notetaker_documents VALUES ('b', 'mtg_${values.length}', ${values}) RETURNING 1`);
    expect(await run("outbox.ts", "b")).toHaveLength(3);
    expect([await run("outbox.ts", "b"), await run("outbox.ts")]).toEqual([[], []]);
  });
});
