import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ConnectionError, type DownloadProgress, InvalidArgumentError, Notetaker, NotFoundError } from "notetaker-sdk";
import { saveRecording } from "notetaker-sdk/node";
import { createEmulator } from "notetaker-sdk/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MEETING, storage, type Turn } from "../../media/download/storage.js";
import { bytesOfLength } from "../../media/upload/upload-service.js";
import { rejection, rejectionOf } from "../../support/recorder.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "notetaker-save-"));
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

const bytes = bytesOfLength(1_000);
const recording = { bytes, etag: '"one"' };

it("saveRecording writes the file, and leaves no other file", async () => {
  const { notetaker } = storage(recording, [{ dropAfter: 300 }, { status: 403 }]);
  const path = join(folder, "weekly.mp4");
  const progress: DownloadProgress[] = [];
  const saved = await saveRecording(notetaker, MEETING, path, { onProgress: (one) => progress.push(one) });
  expect(saved).toEqual({ path, size: 1_000, contentType: "video/mp4" });
  expect(new Uint8Array(readFileSync(path))).toEqual(bytes);
  expect(readdirSync(folder)).toEqual(["weekly.mp4"]);
  expect(progress.at(-1)).toEqual({ receivedBytes: 1_000, totalBytes: 1_000 });
});

it("saveRecording saves the emulator's recording, and its storage never receives the token", async () => {
  const service = createEmulator();
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
  const { id } = service.meetings.list().find((meeting) => meeting.recording !== null)!;
  const { size, contentType } = await saveRecording(notetaker, id, join(folder, "talk.wav"));
  const saved = readFileSync(join(folder, "talk.wav"));
  expect([saved.length, contentType, saved.subarray(0, 4).toString()]).toEqual([size, "audio/wav", "RIFF"]);
});

it("saveRecording accepts a file: URL", async () => {
  const path = join(folder, "weekly talk.mp4");
  expect(await saveRecording(storage(recording).notetaker, MEETING, pathToFileURL(path))).toMatchObject({ path });
});

it("saveRecording replaces an existing file, even a longer one", async () => {
  const path = join(folder, "weekly.mp4");
  writeFileSync(path, bytesOfLength(5_000));
  await saveRecording(storage(recording).notetaker, MEETING, path);
  expect(readFileSync(path).length).toBe(1_000);
});

it("saveRecording accepts the longest file name that the system allows", async () => {
  const path = join(folder, "x".repeat(255));
  await saveRecording(storage(recording).notetaker, MEETING, path);
  expect(readFileSync(path).length).toBe(1_000);
});

it.skipIf(process.platform === "win32")(
  "saveRecording gives the new file the same permissions as the file that it replaces",
  async () => {
    const path = join(folder, "weekly.mp4");
    writeFileSync(path, "old");
    for (const mode of [0o600, 0o666]) {
      chmodSync(path, mode);
      await saveRecording(storage(recording).notetaker, MEETING, path);
      expect(statSync(path).mode & 0o777).toBe(mode);
    }
  },
);

it("saveRecording follows a symbolic link, and replaces the file that the link points to", async () => {
  const path = join(folder, "weekly.mp4");
  const link = join(folder, "latest.mp4");
  writeFileSync(path, "old");
  symlinkSync(path, link);
  const saved = await saveRecording(storage(recording).notetaker, MEETING, link);
  expect(saved.path).toBe(path);
  expect(readFileSync(path).length).toBe(1_000);
  expect(readdirSync(folder).sort()).toEqual(["latest.mp4", "weekly.mp4"]);
});

it("saveRecording starts again if the file changes during the download", async () => {
  const other = { bytes: bytesOfLength(400).reverse(), etag: '"two"' };
  const service = storage(recording, [{ dropAfter: 900 }, { change: other }]);
  const path = join(folder, "weekly.mp4");
  expect(await saveRecording(service.notetaker, MEETING, path)).toMatchObject({ size: 400 });
  expect(new Uint8Array(readFileSync(path))).toEqual(other.bytes);
});

describe("a failure of saveRecording", () => {
  const failing: [string, () => ReturnType<typeof storage>, unknown][] = [
    ["no recording", () => storage(recording, [], { link: () => null }), NotFoundError],
    ["a storage that refuses", () => storage(recording, Array<Turn>(9).fill({ status: 403 })), ConnectionError],
    [
      "a connection that is lost at every attempt",
      () => storage(recording, [{ dropAfter: 500 }, ...Array<Turn>(9).fill({ unreachable: true })]),
      ConnectionError,
    ],
    [
      "a file that changes each time",
      () =>
        storage(
          recording,
          Array.from({ length: 20 }, (_, n) => ({ change: { bytes, etag: `"${n}"` }, dropAfter: 9 })),
        ),
      ConnectionError,
    ],
  ];

  it.each(failing)(
    "because of %s leaves the existing file unchanged, and no partial file",
    async (_, service, expected) => {
      const path = join(folder, "weekly.mp4");
      writeFileSync(path, "old");
      const error = await rejection(saveRecording(service().notetaker, MEETING, path));
      expect(error).toBeInstanceOf(expected);
      expect(readFileSync(path, "utf8")).toBe("old");
      expect(readdirSync(folder)).toEqual(["weekly.mp4"]);
    },
  );

  it("because of an abort leaves the existing file unchanged, and no partial file", async () => {
    const path = join(folder, "weekly.mp4");
    writeFileSync(path, "old");
    const controller = new AbortController();
    const onProgress = ({ receivedBytes }: DownloadProgress) => {
      if (receivedBytes > 100) controller.abort("gone");
    };
    const call = saveRecording(storage(recording).notetaker, MEETING, path, { signal: controller.signal, onProgress });
    expect(await rejection(call)).toBe("gone");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["weekly.mp4"]);
  });

  it.each([0, 500, 999])(
    "because onProgress throws after %i bytes leaves the existing file unchanged, and no partial file",
    async (enough) => {
      const path = join(folder, "weekly.mp4");
      writeFileSync(path, "old");
      const onProgress = ({ receivedBytes }: DownloadProgress) => {
        if (receivedBytes > enough) throw new Error("no more paper");
      };
      const call = saveRecording(storage(recording).notetaker, MEETING, path, { onProgress });
      expect(await rejection(call)).toMatchObject({ message: "no more paper" });
      expect(readFileSync(path, "utf8")).toBe("old");
      expect(readdirSync(folder)).toEqual(["weekly.mp4"]);
    },
  );
});

describe("saveRecording refuses", () => {
  it.each([
    ["a folder", (base: string) => base, (base: string) => `${base} is a folder`],
    [
      "a file in a folder that does not exist",
      (base: string) => join(base, "missing", "weekly.mp4"),
      (base: string) => `${join(base, "missing")} does not exist`,
    ],
    [
      "a folder that does not exist",
      (base: string) => join(base, "missing/"),
      (base: string) => `${join(base, "missing/")} is a folder`,
    ],
    [
      "a file inside a file",
      (base: string) => join(base, "a.wav/b.wav"),
      (base: string) => `${base}/a.wav is not a folder`,
    ],
    [
      "a name that is too long",
      (base: string) => join(base, "x".repeat(256)),
      () => expect.stringContaining("ENAMETOOLONG"),
    ],
    ["a name with a NUL character", (base: string) => `${base}/a\0.wav`, () => expect.stringContaining("null bytes")],
  ])("the path of %s before it sends a request", async (_, place, why) => {
    writeFileSync(join(folder, "a.wav"), "old");
    const { notetaker, toService } = storage(recording);
    const path = place(folder);
    const error = await rejectionOf(InvalidArgumentError, saveRecording(notetaker, MEETING, path));
    expect(error.issues).toEqual([{ path: "path", message: why(folder) }]);
    expect(toService).toEqual([]);
    expect(readdirSync(folder)).toEqual(["a.wav"]);
  });

  it.each([undefined, null, 12, "", new URL("https://example.com/weekly.mp4")])(
    "the path %j before it sends a request",
    async (path) => {
      const { notetaker, toService } = storage(recording);
      await rejectionOf(InvalidArgumentError, saveRecording(notetaker, MEETING, path as string));
      expect(toService).toEqual([]);
    },
  );

  it.each([
    ["null", null, ""],
    ["a number", 5, ""],
    ["a string", "fast", ""],
    ["a list", [], ""],
    ["an onProgress that is not a function", { onProgress: "log" }, "onProgress"],
    ["an onRestart, because it restarts by itself", { onRestart: () => {} }, "onRestart"],
    ["an invalid signal", { signal: {} }, "signal"],
    ["a time limit of 0", { timeoutMs: 0 }, "timeoutMs"],
    ["an unknown option", { overwrite: true }, "overwrite"],
  ])("%s as options before it sends a request", async (_, options, field) => {
    const { notetaker, toService } = storage(recording);
    const call = saveRecording(notetaker, MEETING, join(folder, "weekly.mp4"), options as never);
    const error = await rejectionOf(InvalidArgumentError, call);
    expect(error.message).toMatch(/^saveRecording: /);
    expect(error.issues.map(({ path }) => path)).toEqual([field]);
    expect(toService).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("to send a request if the signal has already aborted", async () => {
    const { notetaker, toService } = storage(recording);
    const call = saveRecording(notetaker, MEETING, join(folder, "weekly.mp4"), { signal: AbortSignal.abort("gone") });
    expect(await rejection(call)).toBe("gone");
    expect(toService).toEqual([]);
  });
});
