import { chmodSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ConnectionError, InvalidArgumentError } from "notetaker-sdk";
import { fromPath } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ACCEPTED, answerJson, bytesOfLength, uploadService } from "../../media/upload/upload-service.js";
import { rejection, rejectionOf } from "../../support/recorder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const bytes = bytesOfLength(2_000_000);
let folder = "";
let path = "";
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, "Weekly talk.wav");
  writeFileSync(path, bytes);
});

it("uploads the file, with its name, its length and the media type of its extension, also behind a link", async () => {
  expect(fromPath(path)).toMatchObject({ name: "Weekly talk.wav", size: bytes.length });
  const link = join(folder, "link.mp3");
  symlinkSync(path, link);
  for (const [given, type] of [
    [pathToFileURL(path), "audio/wav"],
    [link, "audio/mpeg"],
  ] as const) {
    const { notetaker, arrivals } = await uploadService();
    expect(await notetaker.meetings.upload(fromPath(given))).toEqual(ACCEPTED);
    expect(arrivals[0]?.bytes.equals(bytes)).toBe(true);
    expect(arrivals[0]?.headers).toMatchObject({ "content-type": type, "content-length": String(bytes.length) });
  }
});

it("opens the file anew for each attempt", async () => {
  const { notetaker, arrivals } = await uploadService((response, index) => {
    if (index > 0) return answerJson(response, 200, ACCEPTED);
    writeFileSync(path, "shorter");
    answerJson(response, 429, { error: { code: "rate_limited", message: "slow down" } }, { "retry-after": "0" });
  });
  await notetaker.meetings.upload(fromPath(path));
  expect(arrivals.map((arrival) => arrival.bytes.length)).toEqual([bytes.length, 7]);
  expect(arrivals[1]?.headers["content-length"]).toBe("7");
});

// Linux lists the open files of a process.
describe.skipIf(process.platform !== "linux")("the file of an upload is closed", () => {
  const isOpen = () =>
    readdirSync("/proc/self/fd").some((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        return false;
      }
    });
  const closed = () => vi.waitFor(() => expect(isOpen()).toBe(false), 60_000);

  it("after it was read completely", async () => {
    expect((await new Response(fromPath(path).stream()).arrayBuffer()).byteLength).toBe(bytes.length);
    await closed();
  });

  it("if reading ends early: at once, after the first block, or during a block", async () => {
    for (const blocks of [0, 1, 2]) {
      const reader = fromPath(path).stream().getReader();
      for (let read = 0; read < blocks; read += 1) expect((await reader.read()).done).toBe(false);
      if (blocks > 0) expect(isOpen()).toBe(true);
      if (blocks === 2) reader.read().catch(() => {});
      await reader.cancel();
      await closed();
    }
  });

  it("if the upload is aborted, or the length of the file has changed", async () => {
    const { notetaker } = await uploadService();
    const controller = new AbortController();
    const onProgress = ({ sentBytes }: { sentBytes: number }) => void (sentBytes > 0 && controller.abort("enough"));
    const { signal } = controller;
    expect(await rejection(notetaker.meetings.upload(fromPath(path), {}, { signal, onProgress }))).toBe("enough");
    await closed();
    const source = { ...fromPath(path), size: 1_000_000 };
    await rejectionOf(ConnectionError, notetaker.meetings.upload(source));
    await closed();
  });
});

it("deleting a file before it is opened ends the upload with the system's error as cause", async () => {
  const { notetaker } = await uploadService();
  const source = { ...fromPath(path), stream: fromPath(join(folder, "gone.wav")).stream };
  const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(source));
  expect(error.cause).toMatchObject({ code: "ENOENT" });
});

it("a path that cannot be read is refused with the path, before a request is sent", async () => {
  mkdirSync(join(folder, "folder.wav"));
  const unreadable = join(folder, "unreadable.wav");
  writeFileSync(unreadable, "x");
  chmodSync(unreadable, 0);
  const refused: [string, string][] = [
    [join(folder, "missing.wav"), "does not exist"],
    ["~/talk.wav", "does not exist"],
    [join(path, "x.wav"), "does not exist"],
    [join(folder, "folder.wav"), "is a folder"],
    [folder, "is a folder"],
    ["/dev/null", "is not a file"],
  ];
  // Root may read all files.
  if (process.getuid?.() !== 0) refused.push([unreadable, "may not be accessed"]);
  const { notetaker, arrivals } = await uploadService();
  for (const [file, why] of refused) {
    // The reason is not an unknown media type, even if the name has none.
    for (const params of [{ contentType: "audio/wav" }, {}]) {
      const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.upload(fromPath(file), params));
      expect(error).toMatchObject({ outcome: "not_sent", attempts: 0 });
      expect(error.issues).toEqual([{ path: "path", code: "invalid", message: `${file} ${why}` }]);
    }
  }
  expect(arrivals).toEqual([]);
});

it.each([undefined, null, 12, {}, "", new URL("https://example.com/talk.wav"), new URL("file:///a%2Ftalk.wav")])(
  "%s is refused at once",
  (value) => {
    expect(() => fromPath(value as string)).toThrow(InvalidArgumentError);
  },
);
