import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ConnectionError, type DownloadProgress, InvalidArgumentError, Notetaker, NotFoundError } from "notetaker-sdk";
import { type SaveOptions, saveRecording } from "notetaker-sdk/node";
import { createEmulator } from "notetaker-sdk/testing";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MEETING, storage, type Turn } from "../../media/download/storage.js";
import { bytesOfLength } from "../../media/upload/upload-service.js";
import { rejection, rejectionOf } from "../../support/recorder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.spyOn(Math, "random").mockReturnValue(0);
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

describe("a failure of saveRecording", () => {
  const many = <T>(turn: T) => Array<T>(9).fill(turn);
  const changing = Array.from({ length: 20 }, (_, n) => ({ change: { bytes, etag: `"${n}"` }, dropAfter: 9 }));
  const abortAfter = (enough: number, controller: AbortController) => {
    const onProgress = ({ receivedBytes }: DownloadProgress) => {
      if (receivedBytes > enough) controller.abort("gone");
    };
    return { onProgress, signal: controller.signal };
  };
  const throwAfter = (enough: number) => ({
    onProgress({ receivedBytes }: DownloadProgress) {
      if (receivedBytes > enough) throw new Error("no more paper");
    },
  });
  const cases: [string, Partial<ReturnType<typeof storage>>, SaveOptions, unknown][] = [
    ["no recording", storage(recording, [], { link: () => null }), {}, expect.any(NotFoundError)],
    ["a storage that refuses", storage(recording, many<Turn>({ status: 403 })), {}, expect.any(ConnectionError)],
    [
      "a connection that is lost at every attempt",
      storage(recording, [{ dropAfter: 500 }, ...many<Turn>({ unreachable: true })]),
      {},
      expect.any(ConnectionError),
    ],
    ["a file that changes each time", storage(recording, changing), {}, expect.any(ConnectionError)],
    ["an abort", storage(recording), abortAfter(100, new AbortController()), "gone"],
    ...[0, 500, 999].map((enough): (typeof cases)[number] => [
      `an onProgress that throws after ${enough} bytes`,
      storage(recording),
      throwAfter(enough),
      expect.objectContaining({ message: "no more paper" }),
    ]),
  ];

  it.each(cases)(
    "because of %s leaves the existing file unchanged, and no partial file",
    async (_, from, options, why) => {
      const path = join(folder, "weekly.mp4");
      writeFileSync(path, "old");
      expect(await rejection(saveRecording(from.notetaker as Notetaker, MEETING, path, options))).toEqual(why);
      expect(readFileSync(path, "utf8")).toBe("old");
      expect(readdirSync(folder)).toEqual(["weekly.mp4"]);
    },
  );
});

describe("saveRecording sends no request for", () => {
  it("a path at which no file can be saved", async () => {
    writeFileSync(join(folder, "a.wav"), "old");
    const { notetaker, toService } = storage(recording);
    const refused: [path: unknown, message: unknown][] = [
      [folder, `${folder} is a folder`],
      [join(folder, "missing", "weekly.mp4"), `${join(folder, "missing")} does not exist`],
      [join(folder, "missing/"), `${join(folder, "missing/")} is a folder`],
      [join(folder, "a.wav/b.wav"), `${folder}/a.wav is not a folder`],
      [join(folder, "x".repeat(256)), expect.stringContaining("ENAMETOOLONG")],
      [`${folder}/a\0.wav`, expect.stringContaining("null bytes")],
      ...[undefined, null, 12, "", new URL("https://example.com/weekly.mp4")].map((path): [unknown, string] => [
        path,
        "expected a path or a file: URL",
      ]),
    ];
    for (const [path, message] of refused) {
      const error = await rejectionOf(InvalidArgumentError, saveRecording(notetaker, MEETING, path as string));
      expect(error.issues).toMatchObject([{ path: "path", message }]);
    }
    expect(toService).toEqual([]);
    expect(readdirSync(folder)).toEqual(["a.wav"]);
  });

  it("invalid options, and a signal that has already aborted", async () => {
    const { notetaker, toService } = storage(recording);
    const save = (options: unknown) => saveRecording(notetaker, MEETING, join(folder, "weekly.mp4"), options as never);
    const refused: [options: unknown, path: string][] = [
      ...[null, 5, "fast", []].map((options): [unknown, string] => [options, ""]),
      [{ onProgress: "log" }, "onProgress"],
      // It restarts by itself.
      [{ onRestart: () => {} }, "onRestart"],
      [{ signal: {} }, "signal"],
      [{ timeoutMs: 0 }, "timeoutMs"],
      [{ overwrite: true }, "overwrite"],
    ];
    for (const [options, path] of refused) {
      const { issues, message } = await rejectionOf(InvalidArgumentError, save(options));
      expect(message).toMatch(/^saveRecording: /);
      expect(issues.map((issue) => issue.path)).toEqual([path]);
    }
    expect(await rejection(save({ signal: AbortSignal.abort("gone") }))).toBe("gone");
    expect(toService).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
