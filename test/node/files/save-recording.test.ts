import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  ConnectionError,
  type DownloadProgress,
  InvalidArgumentError,
  type Notetaker,
  NotFoundError,
} from "notetaker-sdk";
import { type SaveOptions, saveRecording } from "notetaker-sdk/node";
import { createEmulator } from "notetaker-sdk/testing";
import { beforeEach, expect, it, vi } from "vitest";
import { MEETING, storage, type Turn } from "../../media/download/storage.js";
import { bytesOfLength } from "../../media/upload/upload-service.js";
import { rejection, rejectionOf } from "../../support/recorder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { clientOf } from "../support/account.js";

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "weekly.mp4");
  vi.spyOn(Math, "random").mockReturnValue(0);
});

const bytes = bytesOfLength(1_000);
const recording = { bytes, etag: '"one"' };

it("writes the file, and leaves no other file", async () => {
  const { notetaker } = storage(recording, [{ dropAfter: 300 }, { status: 403 }]);
  const progress: DownloadProgress[] = [];
  const onProgress = (one: DownloadProgress) => progress.push(one);
  const saved = await saveRecording(notetaker, MEETING, pathToFileURL(path), { onProgress });
  expect(saved).toEqual({ path, size: 1_000, contentType: "video/mp4" });
  expect(new Uint8Array(readFileSync(path))).toEqual(bytes);
  expect(readdirSync(folder)).toEqual(["weekly.mp4"]);
  expect(progress.at(-1)).toEqual({ receivedBytes: 1_000, totalBytes: 1_000 });
});

it("begins anew if the recording changes during the download", async () => {
  const changed = { bytes: bytesOfLength(700).reverse(), etag: '"two"' };
  const { notetaker, requests } = storage(recording, [{ dropAfter: 900 }, { change: changed }]);
  expect(await saveRecording(notetaker, MEETING, path, { deadlineMs: 60_000 })).toMatchObject({ size: 700 });
  expect(new Uint8Array(readFileSync(path))).toEqual(changed.bytes);
  expect(readdirSync(folder)).toEqual(["weekly.mp4"]);
  expect(requests).toHaveLength(3);
});

it("saves the emulator's recording", async () => {
  const service = createEmulator();
  const { id } = service.meetings.list().find((meeting) => meeting.recording !== null)!;
  const { size, contentType } = await saveRecording(clientOf(service), id, path);
  const saved = readFileSync(path);
  expect([saved.length, contentType, saved.subarray(0, 4).toString()]).toEqual([size, "audio/wav", "RIFF"]);
});

it("replaces an existing file, also a longer one and behind a symbolic link, and keeps its permissions", async () => {
  const link = join(folder, "latest.mp4");
  writeFileSync(path, bytesOfLength(5_000));
  symlinkSync(path, link);
  for (const mode of process.platform === "win32" ? [0o666] : [0o600, 0o666]) {
    chmodSync(path, mode);
    expect(await saveRecording(storage(recording).notetaker, MEETING, link)).toMatchObject({ path });
    expect([readFileSync(path).length, statSync(path).mode & 0o777]).toEqual([1_000, mode]);
  }
  expect(readdirSync(folder).sort()).toEqual(["latest.mp4", "weekly.mp4"]);
  // The longest name that the system allows: the temporary one is no longer.
  await saveRecording(storage(recording).notetaker, MEETING, join(folder, "x".repeat(255)));
});

const many = <T>(turn: T) => Array<T>(9).fill(turn);
const changing = Array.from({ length: 20 }, (_, n) => ({ change: { bytes, etag: `"${n}"` }, dropAfter: 9 }));
const aborting = (controller = new AbortController()) => ({
  onProgress: ({ receivedBytes }: DownloadProgress) => void (receivedBytes > 100 && controller.abort("gone")),
  signal: controller.signal,
});
const throwing = {
  onProgress({ receivedBytes }: DownloadProgress) {
    if (receivedBytes > 500) throw new Error("no more paper");
  },
};
const lost = [{ dropAfter: 500 }, ...many<Turn>({ unreachable: true })];

it.each<[string, Partial<ReturnType<typeof storage>>, SaveOptions, unknown]>([
  ["no recording", storage(recording, [], { link: () => null }), {}, expect.any(NotFoundError)],
  ["a storage that refuses", storage(recording, many<Turn>({ status: 403 })), {}, expect.any(ConnectionError)],
  ["a connection that is lost at every attempt", storage(recording, lost), {}, expect.any(ConnectionError)],
  ["a file that changes each time", storage(recording, changing), {}, expect.any(ConnectionError)],
  ["an abort", storage(recording), aborting(), "gone"],
  ["an onProgress that throws", storage(recording), throwing, expect.objectContaining({ message: "no more paper" })],
])("leaves the existing file unchanged, and no partial file, after %s", async (_, from, options, why) => {
  writeFileSync(path, "old");
  expect(await rejection(saveRecording(from.notetaker as Notetaker, MEETING, path, options))).toEqual(why);
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["weekly.mp4"]);
});

it("sends no request for a path at which no file can be saved, invalid options, and a signal that has aborted", async () => {
  writeFileSync(join(folder, "a.wav"), "old");
  const { notetaker, toService } = storage(recording);
  const paths: [path: unknown, message: unknown][] = [
    [folder, `${folder} is a folder`],
    [join(folder, "missing", "weekly.mp4"), `${join(folder, "missing")} does not exist`],
    [join(folder, "missing/"), `${join(folder, "missing/")} is a folder`],
    [join(folder, "a.wav/b.wav"), `${folder}/a.wav is not a folder`],
    [join(folder, "x".repeat(256)), expect.stringContaining("ENAMETOOLONG")],
    [`${folder}/a\0.wav`, expect.stringContaining("null bytes")],
    ...[undefined, 12, "", new URL("https://example.com/weekly.mp4")].map((one): [unknown, string] => [
      one,
      "expected a path or a file: URL",
    ]),
  ];
  for (const [one, message] of paths) {
    const error = await rejectionOf(InvalidArgumentError, saveRecording(notetaker, MEETING, one as string));
    expect(error.issues).toMatchObject([{ path: "path", message }]);
  }
  const options = [null, "fast", { onProgress: "log" }, { signal: {} }, { timeoutMs: 0 }, { overwrite: true }];
  for (const one of options) {
    await expect(saveRecording(notetaker, MEETING, path, one as never)).rejects.toThrow(/^saveRecording: /);
  }
  expect(await rejection(saveRecording(notetaker, MEETING, path, { signal: AbortSignal.abort("gone") }))).toBe("gone");
  expect(toService).toEqual([]);
  expect(readdirSync(folder)).toEqual(["a.wav"]);
});
