/** The programs for databases in docs/export.md, run unchanged. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { codeBlocks } from "../../test/support/code-blocks.js";
import { runProgram } from "../../test/support/run-program.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { runFolder } from "./support/run-folder.js";

/** The guide's program that imports `walkMeetings` and contains `text`, in a project with the packed package. */
function guideProgram(text: string): { folder: string; file: string } {
  const blocks = codeBlocks().filter(({ at, code }) => at.startsWith("docs/export.md") && code.includes(text));
  expect(blocks).toHaveLength(1);
  const folder = runFolder();
  const client = `import { Notetaker } from "notetaker-sdk";\nconst notetaker = new Notetaker();\n`;
  writeFileSync(join(folder, "program.ts"), `${client}${blocks[0]?.code}`);
  return { folder, file: "program.ts" };
}

test("the guide's NDJSON archive resumes after a kill, and starts a new walk after a complete one", async () => {
  const { service, env } = await emulatedAccount({ stepTimes: "manual" });
  const { folder, file } = guideProgram('open("meetings.ndjson"');
  const archive = join(folder, "meetings.ndjson");
  const lines = () => readFileSync(archive, "utf8").trim().split("\n");
  const run = async () => {
    const { output, exitCode } = await runProgram(file, [], env, folder);
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

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

test.runIf(major > 22 || (major === 22 && minor >= 5))(
  "the guide's SQLite archive contains every meeting once after two runs (Node 22.5 and later)",
  async () => {
    const { service, env } = await emulatedAccount({ stepTimes: "manual" });
    const { folder, file } = guideProgram("node:sqlite");
    for (let count = 0; count < 2; count += 1) {
      const { output, exitCode } = await runProgram(file, [], env, folder);
      expect(exitCode, output).toBe(0);
      service.clock.advance(60_000);
    }
    const { DatabaseSync } = await import("node:sqlite" as string);
    const rows = new DatabaseSync(join(folder, "meetings.sqlite")).prepare("SELECT id FROM meetings ORDER BY id").all();
    const ids = rows.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(
      service.meetings
        .list()
        .map(({ id }) => id)
        .sort(),
    );
  },
);
