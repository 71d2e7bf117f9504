import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { InvalidArgumentError } from "notetaker-sdk";
import { fromPath } from "notetaker-sdk/node";
import { afterAll, describe, expect, it } from "vitest";
import { ACCEPTED, answerJson, bytesOfLength, uploadService } from "../media/upload-service.js";
import { rejectionOf } from "../support/recorder.js";

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
