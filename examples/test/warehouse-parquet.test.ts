/** The snapshots, read by another library than the one that wrote them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { runProgram } from "../../test/support/run-program.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { killAtRequest } from "./support/kill-at-request.js";
import { oddAccount, oddFields } from "./support/odd-account.js";
import { recipeFolder } from "./support/run-folder.js";

interface Row {
  id: string;
  title: string | null;
  transcript?: { segments: unknown[] };
}

/** The rows of every file of a snapshot. */
async function readSnapshot(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".parquet"))) {
    const { buffer, byteOffset, byteLength } = readFileSync(join(folder, name));
    const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
    rows.push(...((await parquetReadObjects({ file })) as unknown as Row[]));
  }
  return rows;
}

const snapshots = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("snapshot="));

test("the Parquet snapshot contains each meeting once after a kill, and the next run starts a new snapshot", async () => {
  const { service, env } = await emulatedAccount({ stepTimes: "manual" });
  const folder = recipeFolder("warehouse-parquet");
  const lake = join(folder, "lake");
  const variables = { ...env, BATCH_SIZE: "2" };

  await killAtRequest(service, 8, { cwd: folder, args: ["snapshot.ts", "lake"], env: variables });
  service.clock.advance(60_000);
  const finished = await runProgram("snapshot.ts", ["lake"], variables, folder);
  expect(finished.exitCode, finished.output).toBe(0);
  const [first = ""] = snapshots(lake);
  expect(snapshots(lake)).toHaveLength(1);
  expect(readdirSync(join(lake, first))).toContain("_SUCCESS");
  const rows = await readSnapshot(join(lake, first));
  const meetings = service.meetings.list();
  expect(rows.map(({ id }) => id).sort()).toEqual(meetings.map(({ id }) => id).sort());
  for (const { id, title, transcript } of rows) {
    const meeting = service.meetings.get(id);
    expect(title).toBe(meeting?.title);
    if (meeting?.status !== "completed") continue;
    expect(transcript?.segments.length).toBe(meeting.transcript?.segments.length);
  }
});

test("the Parquet snapshot accepts an account in which every list has an invalid row", async () => {
  const { service, env } = await emulatedAccount({ seed: oddAccount }, oddFields);
  const folder = recipeFolder("warehouse-parquet");
  const { output, exitCode } = await runProgram("snapshot.ts", ["lake"], env, folder);
  expect(exitCode, output).toBe(0);
  expect(output).toMatch(/^snapshot=\S+: 1 files\n$/);
  const rows = await readSnapshot(join(folder, "lake", snapshots(join(folder, "lake"))[0] ?? ""));
  expect(rows).toHaveLength(service.meetings.list().length);
});
