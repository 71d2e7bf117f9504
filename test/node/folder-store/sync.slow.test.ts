/** A whole account in a folder, whose content is not trusted. */
import { execFileSync } from "node:child_process";
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InvalidArgumentError, isNotetakerError, type SyncOptions, syncMeetings } from "notetaker-sdk";
import { folderStore } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it } from "vitest";
import { rejection } from "../../support/recorder.js";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { account, clientOf, meetings, UNLIMITED } from "../support/account.js";
import { type DiskFault, failingFiles } from "../support/failing-files.js";

let around = "";
let folder = "";
let outside = "";
beforeEach(async () => {
  around = temporaryFolder();
  folder = join(around, "meetings");
  outside = join(around, "outside");
  await mkdir(folder);
  await mkdir(outside);
  await writeFile(join(outside, "victim"), "untouched");
});

const FIRST = "2025-01-01-Weekly-sync-mtg_00000";
const sync = (service = account(meetings(2)).service, options: Partial<SyncOptions> = {}) =>
  syncMeetings(clientOf(service), { into: folderStore(folder), ...UNLIMITED, ...options });
const visible = async () =>
  Object.fromEntries(Object.entries(await filesIn(folder, "base64")).filter(([path]) => !/(^|\/)\./.test(path)));
const expectNothingOutside = async () => {
  expect(await readdir(around)).toEqual(["meetings", "outside"]);
  expect(await filesIn(outside)).toEqual({ victim: "untouched" });
};

describe("an account in a folder", () => {
  it("needs only the list if nothing is new, and loses a deleted meeting with prune", async () => {
    const { service, fetched } = account(meetings(3));
    await sync(service);
    const before = await filesIn(folder);
    fetched.clear();
    await sync(service);
    expect([...fetched.keys()]).toEqual(["list"]);
    const { ".notetaker/state.json": _, ...after } = await filesIn(folder);
    expect(before).toMatchObject(after);
    service.meetings.delete("mtg_00000");
    await folderStore(folder).write({ state: "begin anew", items: [], removed: [] }, undefined);
    expect(await sync(service, { prune: "all" })).toMatchObject({ removed: 1 });
    expect(await readdir(folder)).not.toContain(FIRST);
  });
});

describe("what is not a regular file", () => {
  const pipe = (path: string) => execFileSync("mkfifo", [path]);
  const records = ".notetaker/meetings/mtg_00000.json";
  const own = ["index.json", ".notetaker/lock", ".notetaker/state.json", records];
  const places = [...own, `${FIRST}/transcript.md`];
  it.each(
    places.flatMap((place) => [
      [place, "is a folder", (path: string) => mkdir(path)] as const,
      [place, "is not a file", pipe] as const,
    ]),
  )("is never read or replaced, and is named in the error: %s %s", async (place, problem, make) => {
    const path = join(folder, place);
    await mkdir(dirname(path), { recursive: true });
    await make(path);
    const result = await sync().catch((error: unknown) => error);
    const message = result instanceof InvalidArgumentError ? result.message : JSON.stringify(result);
    expect(message).toContain(`${path} ${problem}`);
    expect((await lstat(path)).isFile()).toBe(false);
  });
});

describe("a symbolic link in the folder", () => {
  it.each([".notetaker", ".notetaker/meetings", FIRST, `${FIRST}/documents`])(
    "is refused if it has the name of a folder: %s",
    async (place) => {
      await mkdir(dirname(join(folder, place)), { recursive: true });
      await symlink(outside, join(folder, place));
      const result = await sync().catch((error: unknown) => error);
      const message = result instanceof InvalidArgumentError ? result.message : JSON.stringify(result);
      expect(message).toContain(`${join(folder, place)} is a symbolic link`);
      await expectNothingOutside();
    },
  );

  it("is replaced and not followed if it has the name of a file, or of a partial file", async () => {
    const names = ["index.json", ".notetaker/lock", ".notetaker/state.json"];
    const ofMeeting = ["meeting.json", ".meeting.json.part", "transcript.json", ".transcript.md.part"];
    await mkdir(join(folder, FIRST));
    await mkdir(join(folder, ".notetaker", "meetings"), { recursive: true });
    for (const path of [
      ...names,
      ".notetaker/meetings/mtg_00000.json",
      ...ofMeeting.map((name) => `${FIRST}/${name}`),
    ]) {
      await symlink(join(outside, "victim"), join(folder, path));
    }
    expect(await sync()).toMatchObject({ ended: "done", missing: [] });
    await expectNothingOutside();
    expect(Object.keys(await visible())).toHaveLength(11);
  });

  it("is followed if it is the folder itself, which the user chose", async () => {
    await rm(folder, { recursive: true });
    await mkdir(join(around, "real"));
    await symlink(join(around, "real"), folder);
    expect(await sync()).toMatchObject({ missing: [] });
    expect(await readdir(join(around, "real"))).toContain("index.json");
  });
});

/** Copies of a value, in each of which another of its fields is replaced. */
function* poisonedIn(value: unknown, poison: unknown): Generator<unknown> {
  yield poison;
  if (typeof value !== "object" || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    for (const copy of poisonedIn(field, poison)) {
      yield Array.isArray(value) ? Object.assign([...value], { [name]: copy }) : { ...value, [name]: copy };
    }
  }
}

describe("a file that an earlier run left in the folder", () => {
  const POISON = ["../../victim", "/etc/victim", "a/../../..", "CON", "", 5, null, [null], {}, "{"];

  it.each(POISON)(
    "can contain %j in each of its fields: nothing is written outside, and the next run is complete",
    async (poison) => {
      const { service } = account(meetings(1));
      await sync(service);
      const wanted = Object.keys(await visible());
      for (const file of ["index.json", ".notetaker/meetings/mtg_00000.json", ".notetaker/state.json"]) {
        const content = JSON.parse(await readFile(join(folder, file), "utf8"));
        for (const poisoned of poisonedIn(content, poison)) {
          await writeFile(join(folder, file), JSON.stringify(poisoned));
          const result = await sync(service).catch((error: unknown) => error);
          if (result instanceof Error) expect(isNotetakerError(result), `${file}: ${result}`).toBe(true);
        }
        await writeFile(join(folder, file), JSON.stringify(content));
      }
      await expectNothingOutside();
      await rm(join(folder, "index.json"));
      await sync(service);
      expect(Object.keys(await visible())).toEqual(expect.arrayContaining(wanted));
    },
  );
});

describe("a disk that fails at one of its operations", () => {
  const FAULTS: readonly DiskFault[] = ["ENOSPC", "EIO", "EROFS"];

  it("leaves whole files, an error with the path, and a next run that completes", async () => {
    const { service } = account(meetings(1));
    const begin = async () => {
      service.reset();
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
    };
    await sync(service);
    const clean = await visible();
    for (let at = 1; ; at += 1) {
      const fault = FAULTS[at % FAULTS.length] as DiskFault;
      await begin();
      let result: unknown;
      let failed: string | undefined;
      {
        using disk = failingFiles(folder, fault, at);
        result = await sync(service).catch((error: unknown) => error);
        failed = disk.failed;
      }
      if (failed === undefined) break;
      const step = `${fault} at operation ${at} (${failed})`;
      if (result instanceof Error) {
        expect(
          isNotetakerError(result) || "code" in result || result.name === "StoreLockLostError",
          `${step}: ${result}`,
        ).toBe(true);
        expect(result.message, step).toContain(folder);
      }
      await mkdir(folder, { recursive: true });
      for (const [path, content] of Object.entries(await visible())) {
        if (path !== "index.json") expect(content, `${step}: ${path}`).toBe(clean[path]);
      }
      await rm(join(folder, ".notetaker", "lock"), { force: true });
      await sync(service);
      expect(await visible(), step).toEqual(clean);
    }
  });
});

it("a folder that is a file is an error of the system", async () => {
  await writeFile(join(folder, "file"), "");
  const into = folderStore(join(folder, "file"));
  expect(await rejection(sync(undefined, { into }))).toMatchObject({ code: "ENOTDIR" });
});
