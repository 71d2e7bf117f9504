/** A disk that fails: the error names the path, and the next run writes the same files as a run without a failure. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isNotetakerError } from "notetaker-sdk";
import { exportMeetings, folderSink, saveDocument, saveRecording } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it } from "vitest";
import { rejection } from "../../support/recorder.js";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { account, clientOf, meetings, UNLIMITED } from "../support/account.js";
import { DISK_FAULTS, type DiskFault, failingFiles } from "../support/failing-files.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

const contents = async () => new Map(Object.entries(await filesIn(folder, "base64")));

const exportInto = (into: string) => {
  const { service } = account(meetings(2));
  return exportMeetings(clientOf(service), { into, ...UNLIMITED });
};

describe("the error of a failing disk", () => {
  it.each(["ENOSPC", "EIO"] as const)("names the file that could not be written: %s", async (code) => {
    const sink = folderSink(folder);
    await mkdir(join(folder, "a"));
    let error: unknown;
    {
      // The order of the calls: create the folder, remove an old partial file, create the file, write its bytes.
      using _disk = failingFiles(folder, code, code === "ENOSPC" ? 4 : 6);
      error = await rejection(Promise.resolve(sink.write("a/notes.md", Buffer.from("notes"))));
    }
    const path = join(folder, "a/notes.md");
    expect(error).toMatchObject({ code, path, message: expect.stringContaining(`, write '${path}'`) });
  });

  it("is the first error, not an error of the cleanup, if the disk stays full", async () => {
    const { service } = account(meetings(1));
    await writeFile(join(folder, "summary.md"), "old");
    let error: unknown;
    {
      using _disk = failingFiles(folder, "ENOSPC", 3, true);
      error = await rejection(saveDocument(clientOf(service), "doc_0_0", join(folder, "summary.md")));
    }
    expect(String(error)).toContain("ENOSPC");
    expect(String(error)).toContain(folder);
    expect(String(error)).not.toContain("unlink");
  });
});

describe("a disk that fails at one of its operations", () => {
  const { service } = account(meetings(1));
  const start = service.snapshot();
  const wav = () => join(folder, "weekly.wav");
  const summary = () => join(folder, "summary.md");
  const formats = { transcript: ["json"], documents: [], recording: true } as const;
  const jobs: [string, run: () => Promise<unknown>, oldFile?: () => string][] = [
    // One file of each kind: each is written in the same way.
    ["exportMeetings", () => exportMeetings(clientOf(service), { into: folder, formats, ...UNLIMITED })],
    ["saveRecording", () => saveRecording(clientOf(service), "mtg_00000", wav()), wav],
    ["saveDocument", () => saveDocument(clientOf(service), "doc_0_0", summary()), summary],
  ];

  it.each(jobs)(
    "leaves whole files, an error with the path, and a next run that completes: %s",
    async (_, run, old) => {
      const begin = async () => {
        service.restore(start);
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder);
        if (old !== undefined) await writeFile(old(), "the old file");
        return contents();
      };
      await begin();
      await run();
      const clean = await contents();
      for (let at = 1; ; at += 1) {
        // The faults take turns. A full or read-only disk usually stays so.
        const fault = DISK_FAULTS[at % DISK_FAULTS.length] as DiskFault;
        const forGood = fault === "ENOSPC" || fault === "EROFS";
        const before = await begin();
        let error: unknown;
        let failed: string | undefined;
        {
          using disk = failingFiles(folder, fault, at, forGood);
          error = await run().catch((thrown: unknown) => thrown ?? "nothing");
          failed = disk.failed;
        }
        if (failed === undefined) break;
        const step = `${fault} at operation ${at} (${failed})`;
        if (error instanceof Error) {
          expect(isNotetakerError(error) || "code" in error, `${step}: ${error.message}`).toBe(true);
          expect(error.message, step).toContain(folder);
        }
        await mkdir(folder, { recursive: true });
        const visible = [...(await contents())].filter(([path]) => !/(^|\/)\./.test(path) && path !== "index.json");
        for (const [path, content] of visible) expect([clean.get(path), before.get(path)], step).toContain(content);
        await run();
        // A temporary file may remain, and a recording whose note was written after the folder vanished counts as
        // saved.
        const isIgnored = (path: string) =>
          path.endsWith(".part") || (fault === "vanishes" && path.includes("recording."));
        const relevant = (files: Map<string, string>) => [...files].filter(([path]) => !isIgnored(path)).sort();
        expect(relevant(await contents()), step).toEqual(relevant(clean));
      }
    },
  );
});

describe("an export", () => {
  it("can be repeated by the same process although the disk failed to delete its lock", async () => {
    {
      using _disk = failingFiles(folder, "EROFS", 12, true);
      expect(await rejection(exportInto(folder))).toMatchObject({ code: "EROFS" });
    }
    expect(await exportInto(folder)).toMatchObject({ meetings: 2, missing: [] });
  });

  it("starts anew if its folder was removed during the previous run", async () => {
    const checkpoint = join(folder, ".notetaker-export", "checkpoint.json");
    const files = folderSink(folder);
    {
      // Stops when the checkpoint contains the first page.
      const { service } = account(meetings(2));
      const abort = new AbortController();
      const onProgress = ({ saved }: { saved: number }) => {
        if (saved >= 3) abort.abort("enough");
      };
      const options = { into: folder, ...UNLIMITED, signal: abort.signal, onProgress };
      expect(await rejection(exportMeetings(clientOf(service), options))).toBe("enough");
    }
    const kept = await files.read(".notetaker-export/checkpoint.json");
    await rm(folder, { recursive: true });
    await mkdir(join(folder, ".notetaker-export"), { recursive: true });
    await writeFile(checkpoint, kept ?? "");
    expect(await exportInto(folder)).toMatchObject({ meetings: 2, saved: 6, written: 10, missing: [], resumed: false });
  });
});
