/** The cron job, on an account in which every list has an invalid row. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Notetaker } from "notetaker-sdk";
import { expect, test } from "vitest";
import { runProgram } from "../../test/support/run-program.js";
import { emulatedAccount } from "./support/emulated-account.js";
import { killAtRequest } from "./support/kill-at-request.js";
import { oddAccount, oddFields } from "./support/odd-account.js";
import { recipeFolder } from "./support/run-folder.js";

test("the cron job exports an account with invalid rows completely, then only what is new, and deletes what is gone", async () => {
  const { service, env } = await emulatedAccount({ seed: oddAccount }, oddFields);
  const folder = recipeFolder("cron-export");
  const run = async (env: Record<string, string>) => {
    const before = service.requests.length;
    const { output, exitCode } = await runProgram("export.ts", ["archive"], env, folder);
    expect(exitCode, output).toBe(0);
    return service.requests.slice(before).map(({ route }) => route);
  };
  const json = (path: string) => JSON.parse(readFileSync(join(folder, "archive", path), "utf8"));
  const exportedIds = () => new Set(json("index.json").map((entry: { meeting_id: string }) => entry.meeting_id));

  await run(env);
  const ids = service.meetings.list().map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(8);
  expect(exportedIds()).toEqual(new Set(ids));
  const odd = ids.filter((id) => json(`.notetaker-export/names/${id}.json`).missing.length > 0);
  expect(new Set(odd)).toEqual(new Set(ids.filter((id) => !["mtg_plain", "mtg_permission"].includes(id))));

  // Only the invalid items are fetched again.
  const again = await run(env);
  expect(again[0]).toBe("GET /meetings");
  expect(again.length).toBeLessThan(10);

  // The same account without its first meeting.
  const meetings = oddAccount.meetings?.filter(({ id }) => id !== "mtg_plain") ?? [];
  const smaller = await emulatedAccount({ seed: { ...oddAccount, meetings } }, oddFields);
  await run(smaller.env);
  expect(exportedIds()).toEqual(new Set(ids.filter((id) => id !== "mtg_plain")));
  expect(readdirSync(join(folder, "archive")).filter((name) => name.includes("mtg_plain"))).toEqual([]);
});

test("the job over one's own storage stores each meeting once, and the next run only what is new", async () => {
  const { service, env } = await emulatedAccount({ stepTimes: "manual", now: () => Date.now() });
  const folder = recipeFolder("cron-export");
  await killAtRequest(service, 8, { cwd: folder, args: ["follow.ts"], env });
  const run = async () => {
    const { output, exitCode } = await runProgram("follow.ts", [], env, folder);
    expect(exitCode, output).toBe(0);
    return output.trim().split("\n").filter(Boolean);
  };
  const all = service.meetings.list().map(({ id }) => id);
  await run();
  const files = () => readdirSync(join(folder, "meetings-json")).filter((name) => /^mtg_\w+\.json$/.test(name));
  expect(files().sort()).toEqual(all.map((id) => `${id}.json`).sort());
  expect(await run()).toEqual([]);

  const client = new Notetaker({ baseUrl: env.NOTETAKER_BASE_URL ?? "", token: env.NOTETAKER_TOKEN ?? "" });
  const { id } = await client.meetings.upload(new Uint8Array(8), { contentType: "audio/wav" });
  await service.meetings.transcribe(id);
  expect(await run()).toEqual([id]);

  // A later reading that is refused takes nothing away.
  Object.assign(service.meetings.get(id) as object, { title: "Renamed" });
  service.faults.next("GET /meetings/:id/transcript", { status: 403 });
  expect(await run()).toEqual([id]);
  const json = (name: string) => JSON.parse(readFileSync(join(folder, "meetings-json", name), "utf8"));
  expect(json(`${id}.json`).title).toBe("Renamed");
  expect(json(`${id}.transcript.json`).segments.length).toBeGreaterThan(0);
});
