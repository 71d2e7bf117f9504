import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportMeetings, folderSink } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { account, clientOf, contents, meetings, run, type Store, UNLIMITED } from "../support/account.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

describe("a folder as the sink", () => {
  it("contains exactly the files that any other sink contains", async () => {
    const { service } = account(meetings(9));
    const store: Store = new Map();
    const formats = { recording: true };
    await run(service, store, { formats });
    const into = join(folder, "new", "folder");
    await exportMeetings(clientOf(service), { into, formats, ...UNLIMITED });
    expect(await filesIn(into)).toEqual(contents(store));
  });

  it("has either the whole old file or the whole new one", async () => {
    const sink = folderSink(folder);
    await sink.write("a/b.txt", Buffer.from("old"));
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from("ne"));
      },
      pull: () => Promise.reject(new Error("broke off")),
    });
    await expect(sink.writeStream("a/b.txt", broken)).rejects.toThrow("broke off");
    expect(await filesIn(folder)).toEqual({ "a/b.txt": "old" });
  });

  it("overwrites the partial file of a killed run", async () => {
    const sink = folderSink(folder);
    await writeFile(join(folder, ".b.txt.part"), "a part of something longer");
    await sink.write("b.txt", Buffer.from("new"));
    expect(await filesIn(folder)).toEqual({ "b.txt": "new" });
  });

  it("returns undefined for a missing file, and throws for a file that cannot be read", async () => {
    const sink = folderSink(folder);
    expect(await sink.read("none/at/all")).toBeUndefined();
    await sink.write("a/b", Buffer.from("x"));
    await expect(sink.read("a")).rejects.toThrow(/a is a folder$/);
  });

  it("ends the export with the system's error if it is not writable", async () => {
    const { service } = account(meetings(1));
    await writeFile(join(folder, "file"), "");
    const promise = exportMeetings(clientOf(service), { into: join(folder, "file"), ...UNLIMITED });
    await expect(promise).rejects.toMatchObject({ code: "ENOTDIR" });
  });
});

describe("a sink without writeStream", () => {
  it("gets a recording as a whole; a sink with writeStream gets the stream", async () => {
    const { service } = account(meetings(1));
    const whole: Store = new Map();
    const formats = { recording: true, documents: [], transcript: [] };
    await run(service, whole, { formats });
    const streamed: Store = new Map();
    const sizes: number[] = [];
    const into = {
      read: (path: string) => streamed.get(path),
      write: (path: string, bytes: Uint8Array) => void streamed.set(path, bytes),
      async writeStream(path: string, stream: ReadableStream<Uint8Array>) {
        const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
        sizes.push(bytes.byteLength);
        streamed.set(path, bytes);
      },
    };
    await run(service, streamed, { formats, into });
    expect(sizes).toHaveLength(1);
    expect(contents(streamed)).toEqual(contents(whole));
  });

  it("ends the run if it fails during a recording; a broken download does not end the run", async () => {
    // The pauses before the further attempts of the download are random. These have no length.
    vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    const { service } = account(meetings(1));
    const full = new Error("disk full");
    const store: Store = new Map();
    const sink = {
      read: (path: string) => store.get(path),
      write: (path: string, bytes: Uint8Array) => void store.set(path, bytes),
    };
    const writeStream = () => Promise.reject(full);
    await expect(run(service, store, { formats: { recording: true }, into: { ...sink, writeStream } })).rejects.toBe(
      full,
    );

    service.faults.next("GET /recordings/:key", { status: 403, times: Number.POSITIVE_INFINITY });
    const { missing } = await exportMeetings(clientOf(service, { maxRetries: 0 }), {
      into: sink,
      formats: { recording: true },
      ...UNLIMITED,
    });
    expect(missing).toMatchObject([{ what: "recording", reason: "failed" }]);
  });
});
