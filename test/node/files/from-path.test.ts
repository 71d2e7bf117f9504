import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ConnectionError, InvalidArgumentError } from "notetaker-sdk";
import { fromPath } from "notetaker-sdk/node";
import { afterAll, describe, expect, it, vi } from "vitest";
import { ACCEPTED, answerJson, bytesOfLength, uploadService } from "../../media/upload/upload-service.js";
import { rejection, rejectionOf } from "../../support/recorder.js";

const folder = mkdtempSync(join(tmpdir(), "notetaker-from-path-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = bytesOfLength(300_000);
const path = join(folder, "Weekly talk.wav");
writeFileSync(path, bytes);

describe("fromPath", () => {
  it("returns the name and the size of the file", () => {
    expect(fromPath(path)).toMatchObject({ name: "Weekly talk.wav", size: bytes.length });
  });

  it.each([
    ["a path", path],
    ["a file: URL", pathToFileURL(path)],
  ])("uploads the bytes of %s, with their length and the media type of the file extension", async (_, given) => {
    const { notetaker, arrivals } = await uploadService();
    expect(await notetaker.meetings.upload(fromPath(given))).toEqual(ACCEPTED);
    expect(arrivals[0]?.bytes.equals(bytes)).toBe(true);
    expect(arrivals[0]?.headers).toMatchObject({ "content-type": "audio/wav", "content-length": String(bytes.length) });
  });

  it("follows a symbolic link", async () => {
    const link = join(folder, "link.mp3");
    symlinkSync(path, link);
    const { notetaker, arrivals } = await uploadService();
    await notetaker.meetings.upload(fromPath(link));
    expect(arrivals[0]?.bytes.equals(bytes)).toBe(true);
    expect(arrivals[0]?.headers["content-type"]).toBe("audio/mpeg");
  });

  it("opens the file anew for each attempt", async () => {
    const changing = join(folder, "changing.wav");
    writeFileSync(changing, bytes);
    const { notetaker, arrivals } = await uploadService((response, index) => {
      if (index > 0) return answerJson(response, 200, ACCEPTED);
      writeFileSync(changing, "shorter");
      answerJson(response, 429, { error: { code: "rate_limited", message: "slow down" } }, { "retry-after": "0" });
    });
    await notetaker.meetings.upload(fromPath(changing));
    expect(arrivals.map((arrival) => arrival.bytes.length)).toEqual([bytes.length, 7]);
    expect(arrivals[1]?.headers["content-length"]).toBe("7");
  });
});

// Linux lists the open files of a process.
describe.skipIf(process.platform !== "linux")("the file of an upload", () => {
  const long = join(folder, "long.wav");
  writeFileSync(long, new Uint8Array(2_000_000));
  const isOpen = () =>
    readdirSync("/proc/self/fd").some((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === long;
      } catch {
        return false;
      }
    });
  const closed = () => vi.waitFor(() => expect(isOpen()).toBe(false), 60_000);

  it("is closed after it was read completely", async () => {
    const { notetaker, arrivals } = await uploadService();
    await notetaker.meetings.upload(fromPath(long));
    expect(arrivals[0]?.bytes.length).toBe(2_000_000);
    await closed();
    expect((await new Response(fromPath(long).stream()).arrayBuffer()).byteLength).toBe(2_000_000);
    await closed();
  });

  it("is closed if reading ends early: at once, after the first block, or during a block", async () => {
    for (const blocks of [0, 1, 2]) {
      const reader = fromPath(long).stream().getReader();
      for (let read = 0; read < blocks; read += 1) expect((await reader.read()).done).toBe(false);
      if (blocks > 0) expect(isOpen()).toBe(true);
      if (blocks === 2) reader.read().catch(() => {});
      await reader.cancel();
      await closed();
    }
  });

  it("is closed if the upload is aborted", async () => {
    const { notetaker } = await uploadService();
    const controller = new AbortController();
    const onProgress = ({ sentBytes }: { sentBytes: number }) => {
      if (sentBytes > 0) controller.abort("enough");
    };
    expect(
      await rejection(notetaker.meetings.upload(fromPath(long), {}, { signal: controller.signal, onProgress })),
    ).toBe("enough");
    await closed();
  });

  it("is closed if its length has changed", async () => {
    const { notetaker } = await uploadService();
    const source = { ...fromPath(long), size: 1_000_000 };
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

describe("an upload of a path", () => {
  const missing = join(folder, "missing.wav");
  const unreadable = join(folder, "unreadable.wav");
  mkdirSync(join(folder, "folder.wav"));
  writeFileSync(unreadable, "x");
  chmodSync(unreadable, 0);
  const isRoot = process.getuid?.() === 0;

  it.each([
    ["a missing file", missing, "does not exist"],
    ["a path inside a file", join(path, "x.wav"), "does not exist"],
    ["a folder", join(folder, "folder.wav"), "is a folder"],
    ["a folder without an extension", folder, "is a folder"],
    ["a device", "/dev/null", "is not a file"],
    // Root may read all files.
    ...(isRoot ? [] : [["a file that may not be read", unreadable, "may not be accessed"]]),
  ] as [string, string, string][])("of %s is refused with the path, before a request is sent", async (_, file, why) => {
    const { notetaker, arrivals } = await uploadService();
    // The reason is not an unknown media type, even if the name has none.
    for (const params of [{ contentType: "audio/wav" }, {}]) {
      const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.upload(fromPath(file), params));
      expect(error.issues).toEqual([{ path: "path", code: "invalid", message: `${file} ${why}` }]);
      expect(error).toMatchObject({ outcome: "not_sent", attempts: 0 });
    }
    expect(arrivals).toEqual([]);
  });

  it("does not expand ~ to the home folder", async () => {
    const { notetaker } = await uploadService();
    const call = notetaker.meetings.upload(fromPath("~/talk.wav"));
    const error = await rejectionOf(InvalidArgumentError, call);
    expect(error.message).toContain("~/talk.wav does not exist");
    expect(error.message).not.toContain(homedir());
  });

  it.each([undefined, null, 12, {}, ""])("is refused at once if the path is %j", (value) => {
    expect(() => fromPath(value as unknown as string)).toThrow(InvalidArgumentError);
  });

  it.each(["https://example.com/talk.wav", "file:///a%2Ftalk.wav"])("is refused at once if the path is %s", (url) => {
    expect(() => fromPath(new URL(url))).toThrow(InvalidArgumentError);
  });
});
