/** A disk that fails: the error names the path, and the next run writes the same files as a run without a failure. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportMeetings, folderSink, saveDocument } from "notetaker-sdk/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failingFiles } from "../../../scripts/kill/failing-files.js";
import { rejection } from "../../support/recorder.js";
import { account, clientOf, meetings, UNLIMITED } from "./export-support.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "failing-disk-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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
