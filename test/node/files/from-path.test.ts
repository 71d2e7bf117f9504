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

describe("a file", () => {
  it("has the last part of its path for a name, and its size", () => {
    expect(fromPath(path)).toMatchObject({ name: "Weekly talk.wav", size: bytes.length });
  });

  it.each([
    ["a path", path],
    ["a file: URL", pathToFileURL(path)],
  ])("arrives byte for byte by %s, with its length, under the type of its name", async (_, given) => {
    const { notetaker, arrivals } = await uploadService();
    expect(await notetaker.meetings.upload(fromPath(given))).toEqual(ACCEPTED);
    expect(arrivals[0]?.bytes.equals(bytes)).toBe(true);
    expect(arrivals[0]?.headers).toMatchObject({ "content-type": "audio/wav", "content-length": String(bytes.length) });
  });

  it("is followed through a link", async () => {
    const link = join(folder, "link.mp3");
    symlinkSync(path, link);
    const { notetaker, arrivals } = await uploadService();
    await notetaker.meetings.upload(fromPath(link));
    expect(arrivals[0]?.bytes.equals(bytes)).toBe(true);
    expect(arrivals[0]?.headers["content-type"]).toBe("audio/mpeg");
  });

  it("is opened anew for each attempt, as it is then", async () => {
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

// Where the open files of a process can be seen.
describe.skipIf(process.platform !== "linux")("a file is closed", () => {
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
  const closed = () => vi.waitFor(() => expect(isOpen()).toBe(false));

  it("when it was read to its end", async () => {
    const { notetaker, arrivals } = await uploadService();
    await notetaker.meetings.upload(fromPath(long));
    expect(arrivals[0]?.bytes.length).toBe(2_000_000);
    await closed();
    expect((await new Response(fromPath(long).stream()).arrayBuffer()).byteLength).toBe(2_000_000);
    await closed();
  });

  it("when the reading ends early: at once, after the first block, while a block is read", async () => {
    for (const blocks of [0, 1, 2]) {
      const reader = fromPath(long).stream().getReader();
      for (let read = 0; read < blocks; read += 1) expect((await reader.read()).done).toBe(false);
      if (blocks > 0) expect(isOpen()).toBe(true);
      if (blocks === 2) reader.read().catch(() => {});
      await reader.cancel();
      await closed();
    }
  });

  it("when the upload is aborted", async () => {
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

  it("when it is not as long as it was", async () => {
    const { notetaker } = await uploadService();
    const source = { ...fromPath(long), size: 1_000_000 };
    await rejectionOf(ConnectionError, notetaker.meetings.upload(source));
    await closed();
  });
});

it("a file that is gone by the time that it is opened ends the upload with what the system says", async () => {
  const { notetaker } = await uploadService();
  const source = { ...fromPath(path), stream: fromPath(join(folder, "gone.wav")).stream };
  const error = await rejectionOf(ConnectionError, notetaker.meetings.upload(source));
  expect(error.cause).toMatchObject({ code: "ENOENT" });
});

describe("is refused with its path, and nothing is sent:", () => {
  const missing = join(folder, "missing.wav");
  const unreadable = join(folder, "unreadable.wav");
  mkdirSync(join(folder, "folder.wav"));
  writeFileSync(unreadable, "x");
  chmodSync(unreadable, 0);
  const isRoot = process.getuid?.() === 0;

  it.each([
    ["a file that is missing", missing, "does not exist"],
    ["a file below a file", join(path, "x.wav"), "does not exist"],
    ["a folder", join(folder, "folder.wav"), "is a folder"],
    ["a device", "/dev/null", "is not a file"],
    // Root may read everything.
    ...(isRoot ? [] : [["a file that may not be read", unreadable, "may not be accessed"]]),
  ] as [string, string, string][])("%s", async (_, file, why) => {
    const { notetaker, arrivals } = await uploadService();
    const call = notetaker.meetings.upload(fromPath(file), { contentType: "audio/wav" });
    const error = await rejectionOf(InvalidArgumentError, call);
    expect(error.issues).toEqual([{ path: "path", message: `${file} ${why}` }]);
    expect(error).toMatchObject({ outcome: "not_sent", attempts: 0 });
    expect(arrivals).toEqual([]);
  });

  it("a path from the home folder: ~ is a name like any other", async () => {
    const { notetaker } = await uploadService();
    const call = notetaker.meetings.upload(fromPath("~/talk.wav"));
    const error = await rejectionOf(InvalidArgumentError, call);
    expect(error.message).toContain("~/talk.wav does not exist");
    expect(error.message).not.toContain(homedir());
  });

  it.each([undefined, null, 12, {}, ""])("%j, at once", (value) => {
    expect(() => fromPath(value as unknown as string)).toThrow(InvalidArgumentError);
  });

  it("a URL that is not of a file, at once", () => {
    expect(() => fromPath(new URL("https://example.com/talk.wav"))).toThrow(InvalidArgumentError);
  });
});
