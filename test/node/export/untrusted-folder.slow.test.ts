/**
 * The folder of an export may come from an untrusted source. Nothing in it can make a run write outside the folder or
 * fail with a TypeError.
 */
import { execFileSync } from "node:child_process";
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { InvalidArgumentError } from "notetaker-sdk";
import { type ExportSink, exportMeetings, folderSink, saveDocument, saveRecording } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it } from "vitest";
import { runs } from "../../support/property-seed.js";
import { rejectionOf } from "../../support/recorder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import {
  account,
  clientOf,
  clientOfEdited,
  editedRows,
  meetings,
  run,
  runAndKill,
  type Store,
  storeSink,
  text,
  UNLIMITED,
  withField,
} from "../support/account.js";

let around = "";
let folder = "";
let outside = "";
beforeEach(async () => {
  around = temporaryFolder();
  folder = join(around, "export");
  outside = join(around, "outside");
  await mkdir(folder);
  await mkdir(outside);
  await writeFile(join(outside, "victim"), "untouched");
});

async function expectNothingOutside(): Promise<void> {
  expect(await readdir(around)).toEqual(["export", "outside"]);
  expect(await readdir(outside)).toEqual(["victim"]);
  expect(await readFile(join(outside, "victim"), "utf8")).toBe("untouched");
}

const exportInto = (seeds = meetings(2)) => {
  const { service } = account(seeds);
  return exportMeetings(clientOf(service), { into: folder, ...UNLIMITED });
};

const POISON = [
  "../../victim",
  "../../outside/victim",
  "/etc/victim",
  "a/../../..",
  "CON",
  "",
  5,
  null,
  [null],
  {},
  "{",
];

/** Writes a file of the export's state, as an earlier run left it. */
async function leave(file: string, content: unknown): Promise<void> {
  await mkdir(join(folder, ".notetaker-export", "names"), { recursive: true });
  await writeFile(join(folder, ".notetaker-export", file), JSON.stringify(content));
}

describe("what is not a regular file", () => {
  const pipe = (path: string) => execFileSync("mkfifo", [path]);
  const places = [
    "index.json",
    ".notetaker-export/checkpoint.json",
    ".notetaker-export/lock",
    ".notetaker-export/names/mtg_00000.json",
    "2025-01-01-Weekly-sync-mtg_00000/transcript.md",
  ];
  it.each(
    places.flatMap((place) => [
      [place, "is a folder", (path: string) => mkdir(path)] as const,
      [place, "is not a file", pipe] as const,
    ]),
  )("ends an export with its path: %s %s", async (place, problem, make) => {
    const path = join(folder, place);
    await mkdir(dirname(path), { recursive: true });
    await make(path);
    const error = await rejectionOf(InvalidArgumentError, exportInto());
    expect(error.message).toContain(`${path} ${problem}`);
    expect((await lstat(path)).isFile()).toBe(false);
  });

  it.each<[string, (path: string) => unknown]>([
    ["is a folder", (path) => mkdir(path)],
    ["is not a file", pipe],
  ])("is not replaced by saveRecording and saveDocument: %s", async (problem, make) => {
    const { service } = account(meetings(1));
    const path = join(folder, "file.md");
    await make(path);
    for (const save of [
      () => saveRecording(clientOf(service), "mtg_00000", path),
      () => saveDocument(clientOf(service), "doc_0_0", path),
    ]) {
      expect((await rejectionOf(InvalidArgumentError, save())).message).toContain(`${path} ${problem}`);
    }
    expect(service.requests).toEqual([]);
    expect((await lstat(path)).isFile()).toBe(false);
  });
});

describe("a file that an earlier export left in the folder", () => {
  it.each(POISON)("is replaced if its folder is %j, and nothing is written outside", async (poison) => {
    await leave("names/mtg_00000.json", { folder: poison, documents: {} });
    expect(await exportInto()).toMatchObject({ meetings: 2, saved: 6, missing: [] });
    await expectNothingOutside();
    expect(await readdir(folder)).toContain("2025-01-01-Weekly-sync-mtg_00000");
  });

  it.each(POISON)("is replaced if its document name is %j, and nothing is written outside", async (poison) => {
    const documents = { doc_0_0: poison, doc_0_1: "mine-doc_0_1" };
    await leave("names/mtg_00000.json", { folder: "mtg_00000", documents });
    expect(await exportInto()).toMatchObject({ meetings: 2, saved: 6, missing: [] });
    await expectNothingOutside();
    const files = await readdir(join(folder, "mtg_00000", "documents"));
    expect(files.sort()).toEqual(["Summary-doc_0_0.md", "mine-doc_0_1.md"]);
  });

  it.each(POISON)("is replaced if its content is %j", async (poison) => {
    for (const file of ["checkpoint.json", "names/mtg_00000.json"]) await leave(file, poison);
    await writeFile(join(folder, "index.json"), JSON.stringify(poison));
    expect(await exportInto()).toMatchObject({ meetings: 2, saved: 6, missing: [] });
    await expectNothingOutside();
  });

  it("is replaced if it has another name for a meeting's folder, and the new folder is complete", async () => {
    const { service } = account(meetings(3));
    const abort = new AbortController();
    const onProgress = ({ saved }: { saved: number }) => {
      if (saved === 4) abort.abort("enough");
    };
    const options = { into: folder, concurrency: 1, ...UNLIMITED };
    const first = exportMeetings(clientOf(service), { ...options, onProgress, signal: abort.signal });
    await expect(first).rejects.toBe("enough");
    await leave("names/mtg_00001.json", { folder: "damaged-mtg_00001", documents: {} });
    const summary = await exportMeetings(clientOf(service), options);
    expect(summary).toMatchObject({ resumed: true, meetings: 3, saved: 9, missing: [] });
    expect((await readdir(join(folder, "damaged-mtg_00001"))).sort()).toEqual([
      "documents",
      "meeting.json",
      "transcript.json",
      "transcript.md",
    ]);
  });

  it("never ends a run with a TypeError, whatever one of its fields contains", async () => {
    const { service } = account(meetings(3));
    const start = service.snapshot();
    const killed: Store = new Map();
    await runAndKill(service, killed, 60);
    const files = [...killed.keys()].filter((path) => path.startsWith("."));
    expect(files.length).toBeGreaterThan(3);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), fc.nat(), fc.constantFrom(...POISON), async (file, place, poison) => {
        service.restore(start);
        const store: Store = new Map(killed);
        store.set(file, Buffer.from(JSON.stringify(withField(JSON.parse(text(store, file)), place, poison))));
        const { meetings: count, saved, missing } = await run(service, store);
        // A run with a checkpoint of changed counts starts with these counts.
        expect([count >= 3 || file.includes("checkpoint"), saved >= 0, missing.length >= 0]).toEqual([
          true,
          true,
          true,
        ]);
        for (const path of store.keys())
          expect(path).toMatch(/^[^./\\][^/\\]*(\/[^./\\][^/\\]*)*$|^\.notetaker-export\//);
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("a symbolic link in the export's folder", () => {
  it("is refused with its path if it replaces the checkpoint's folder", async () => {
    await symlink(outside, join(folder, ".notetaker-export"));
    await expect(exportInto()).rejects.toThrow(/\.notetaker-export is a symbolic link/);
    await expect(exportInto()).rejects.toBeInstanceOf(InvalidArgumentError);
    await expectNothingOutside();
  });

  it("is refused with its path if it replaces a meeting's folder", async () => {
    await symlink(outside, join(folder, "2025-01-01-Weekly-sync-mtg_00000"));
    await expect(exportInto()).rejects.toThrow(/mtg_00000 is a symbolic link/);
    await expectNothingOutside();
  });

  it("is replaced and not followed if it has the name of a partial file", async () => {
    const meeting = join(folder, "2025-01-01-Weekly-sync-mtg_00000");
    await mkdir(meeting);
    for (const file of ["meeting.json", "transcript.json", "transcript.md"]) {
      await symlink(join(outside, "victim"), join(meeting, `.${file}.part`));
    }
    expect(await exportInto()).toMatchObject({ saved: 6, missing: [] });
    await expectNothingOutside();
  });

  it("is replaced and not followed if it has the name of a file", async () => {
    const state = join(folder, ".notetaker-export");
    await mkdir(state);
    await symlink(join(outside, "victim"), join(state, "checkpoint.json"));
    await symlink(join(outside, "victim"), join(state, "lock"));
    await symlink(join(outside, "victim"), join(folder, "index.json"));
    expect(await exportInto()).toMatchObject({ saved: 6, missing: [] });
    await expectNothingOutside();
  });

  it("is followed if it is the export's folder itself, which the user chose", async () => {
    await rm(folder, { recursive: true });
    await mkdir(join(around, "real"));
    await symlink(join(around, "real"), folder);
    expect(await exportInto()).toMatchObject({ saved: 6, missing: [] });
    expect(await readdir(join(around, "real"))).toContain("index.json");
  });
});

describe("folderSink", () => {
  it.each(["../victim", "a/../../victim", "/victim", "a//b", "./a", "a\\b", "C:victim", ""])(
    "refuses the path %j",
    async (path) => {
      const sink: Required<ExportSink> = folderSink(folder);
      await expect(sink.write(path, Buffer.from("x"))).rejects.toBeInstanceOf(InvalidArgumentError);
      await expect(sink.read(path)).rejects.toBeInstanceOf(InvalidArgumentError);
      await expect(sink.delete(path)).rejects.toBeInstanceOf(InvalidArgumentError);
      await expectNothingOutside();
    },
  );
});

describe("a meeting with an unusual status", () => {
  it.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
    "is exported like a meeting with any unknown status: %s",
    async (status) => {
      const { service } = account(meetings(1));
      const withStatus = editedRows((rows) => rows.map((row) => ({ ...row, status })));
      const notetaker = clientOfEdited(service, withStatus);
      const summary = await exportMeetings(notetaker, { into: storeSink(new Map()), ...UNLIMITED });
      expect(summary).toMatchObject({ saved: 3, missing: [] });
    },
  );
});
