/** The program of docs/database.md, run unchanged, killed and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { freePort } from "../../test/support/free-port.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { runFolder } from "./support/run-folder.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

test.runIf(major > 22 || (major === 22 && minor >= 16))(
  "the program of the guide has every meeting after it was killed three times (Node 22.16 and later)",
  async () => {
    const { service, env } = await emulatedAccount({ life: "manual", now: () => Date.now() });
    const [block] = codeBlocks().filter(({ at, code }) => at.startsWith("docs/database.md") && code.includes("sqlite"));
    const folder = runFolder();
    const port = await freePort();
    writeFileSync(join(folder, "program.mjs"), block?.code.replace("listen(3000)", `listen(${port})`) ?? "");
    let child: ChildProcess;
    const start = () => {
      child = spawn(process.execPath, ["program.mjs"], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: "inherit",
      });
    };
    onTestFinished(() => void child.kill("SIGKILL"));
    for (const more of [3, 6, 9]) {
      const end = service.requests.length + more;
      start();
      await vi.waitUntil(() => service.requests.length >= end, 60_000);
      child!.kill("SIGKILL");
      await once(child!, "exit");
    }
    start();
    const { DatabaseSync } = await import("node:sqlite" as string);
    const db = new DatabaseSync(join(folder, "meetings.sqlite"));
    db.exec("PRAGMA busy_timeout = 5000");
    const count = (where: string) => db.prepare(`SELECT count(*) AS n FROM meetings WHERE ${where}`).get().n;
    const all = service.meetings.list();
    const completed = all.filter(({ status }) => status === "completed");
    await vi.waitUntil(() => count("1") === all.length, 60_000);
    expect(count("transcript IS NOT NULL")).toBe(completed.length);
  },
);
