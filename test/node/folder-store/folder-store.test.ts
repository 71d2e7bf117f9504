/** What is in the folder, and what counts as stored. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InvalidArgumentError } from "notetaker-sdk";
import { folderStore, forgetMeetings } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { filesIn, temporaryFolder } from "../../support/temporary-folder.js";
import { failingFiles } from "../support/failing-files.js";
import {
  changeOf,
  documentOf,
  itemOf,
  locked,
  meetingRow,
  recordingOf,
  transcriptOf,
  writeItems,
} from "../support/store-items.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

const FIRST = "2025-01-01-Weekly-sync-mtg_1";
/** The files that are the user's to read, by their path. */
const visible = async () =>
  Object.fromEntries(Object.entries(await filesIn(folder)).filter(([path]) => !path.startsWith(".")));
const names = async () => Object.keys(await visible()).sort();
const json = async (path: string) => JSON.parse(await readFile(join(folder, path), "utf8"));
const listed = async () => (await json("index.json")).map(({ file }: { file: string }) => file).sort();
const expectComplete = async () =>
  expect(await listed()).toEqual((await names()).filter((name) => name !== "index.json"));

it("the folder and the options are checked", () => {
  const options: [object, string][] = [
    [{ transcript: [] }, "transcript"],
    [{ transcript: ["pdf"] }, "transcript[0]"],
    [{ transcript: [{ extension: "../x", render: () => "" }] }, "transcript[0]"],
    [{ transcript: ["vtt", { extension: "vtt", render: () => "" }] }, "two formats write transcript.vtt"],
    [{ transcripts: ["json"] }, "transcripts"],
  ];
  for (const [one, problem] of options) {
    expect(() => folderStore(folder, one)).toThrow(InvalidArgumentError);
    expect(() => folderStore(folder, one)).toThrow(problem);
  }
  for (const path of ["", undefined, 5]) expect(() => folderStore(path as string)).toThrow(InvalidArgumentError);
});

it.skipIf(process.platform !== "linux")("a folder that cannot be made is an error", async () => {
  await expect(folderStore("/proc/notetaker/meetings").lock()).rejects.toMatchObject({ code: "ENOENT" });
});

describe("a meeting in the folder", () => {
  it("has a folder with its row, its transcript in each format and its documents, and is in the index", async () => {
    folder = join(folder, "new", "folder");
    const store = folderStore(folder, { transcript: ["json", "markdown", "text", "srt", "vtt"] });
    const row = meetingRow("mtg_1", { documents: [{ id: "doc_1", title: "Plan / Q3" }], extra: { kept: true } });
    const documents = ["markdown", "html", "raw"].map((format) => documentOf("doc_1", format, format));
    documents.push(documentOf("doc_1", "[]", "json"), documentOf("doc_1", btoa("PK\u0003\u0004 a Word file"), "docx"));
    await writeItems(store, itemOf("mtg_1", { meeting: row, documents }));
    const files = await visible();
    const ofDocument = ["docx", "html", "json", "md", "txt"].map((one) => `documents/Plan-Q3-doc_1.${one}`);
    const transcripts = ["json", "md", "srt", "txt", "vtt"].map((one) => `transcript.${one}`);
    const own = [...ofDocument, "meeting.json", ...transcripts].map((file) => `${FIRST}/${file}`);
    expect(Object.keys(files).sort()).toEqual([...own, "index.json"]);
    expect(JSON.parse(files[`${FIRST}/meeting.json`] ?? "")).toEqual(row);
    expect(JSON.parse(files[`${FIRST}/transcript.json`] ?? "")).toEqual(transcriptOf("mtg_1"));
    expect(files[`${FIRST}/transcript.txt`]).toContain("Good morning.");
    expect(files[`${FIRST}/documents/Plan-Q3-doc_1.docx`]).toBe("PK\u0003\u0004 a Word file");
    expect(await listed()).toEqual(own);
    const of = { title: "Summary", date: "2025-01-01T09:00:00Z", meeting_id: "mtg_1" };
    expect((await json("index.json"))[0]).toEqual({ ...of, id: "doc_1", file: own[0] });
  });

  it("keeps its folder's name when its title changes, and its transcripts get the new title", async () => {
    const store = folderStore(folder);
    await writeItems(store, itemOf("mtg_1"));
    const json = (await visible())[`${FIRST}/transcript.json`];
    await writeItems(store, changeOf("mtg_1", { meeting: meetingRow("mtg_1", { title: "Renamed" }) }));
    const files = await visible();
    expect(files[`${FIRST}/transcript.md`]).toContain("# Renamed");
    expect(files[`${FIRST}/transcript.json`]).toBe(json);
    expect((await listed()).every((file: string) => file.startsWith(FIRST))).toBe(true);
  });

  it("has its transcript and documents as they were received if they cannot be read", async () => {
    const store = folderStore(folder);
    const transcript = { segments: "none", extra: 1 } as never;
    const unreadable = [documentOf("doc_1", "not base64!", "docx"), documentOf("doc_1", "not JSON", "json")];
    const odd = { ...documentOf("doc_2", "x", "constructor"), title: 5 as never };
    await writeItems(store, itemOf("mtg_1", { transcript, documents: [...unreadable, odd] }));
    const other = ["documents/Summary-doc_1.docx.received.json", "documents/doc_2.received.json", "meeting.json"];
    const files = [...other, "documents/Summary-doc_1.json.received.json", "transcript.received.json"];
    expect(await listed()).toEqual(files.map((file) => `${FIRST}/${file}`).sort());
    const readable = { transcript: transcriptOf("mtg_1"), documents: [documentOf("doc_1", "[]", "json")] };
    await writeItems(store, changeOf("mtg_1", readable));
    const now = [...other, "documents/Summary-doc_1.json", "transcript.json", "transcript.md"];
    expect(await listed()).toEqual(now.map((file) => `${FIRST}/${file}`).sort());
    await expectComplete();
  });

  it("is removed or forgotten with its files and its folder, except files of the user's own", async () => {
    const store = folderStore(folder);
    await writeItems(store, itemOf("mtg_1"), itemOf("mtg_2"));
    await store.saveRecording(meetingRow("mtg_1"), recordingOf("bytes"));
    await writeFile(join(folder, "2025-01-01-Weekly-sync-mtg_2", "notes.txt"), "mine");
    const [before] = (await store.readMemory(["mtg_2"])).values();
    {
      using _disk = failingFiles(join(folder, FIRST, "meeting.json"), "EIO", 1, { times: 99 });
      await expect(forgetMeetings(store, ["mtg_1"])).rejects.toMatchObject({ code: "EIO" });
    }
    await forgetMeetings(store, ["mtg_1", "mtg_unknown"]);
    expect(await store.write({ items: [], removed: [{ id: "mtg_2", before }] }, undefined)).toEqual([]);
    expect(await visible()).toEqual({ "2025-01-01-Weekly-sync-mtg_2/notes.txt": "mine", "index.json": "[]\n" });
    const hidden = Object.values(await filesIn(join(folder, ".notetaker")));
    expect(hidden.join()).not.toContain("Weekly");
    expect(await store.ids(undefined, 10)).toEqual(["mtg_1", "mtg_unknown"]);
  });

  it("is not touched if its transcript cannot be rendered, and neither is any other of the batch", async () => {
    const render = () => {
      throw new Error("no such template");
    };
    const store = folderStore(folder, { transcript: ["json", { extension: "html", render }] });
    const items = [itemOf("mtg_1", { transcript: { segments: "none" } as never }), itemOf("mtg_2")];
    await expect(store.write({ state: "new", items, removed: [] }, undefined)).rejects.toThrow("no such template");
    expect(await visible()).toEqual({ "index.json": "[]\n" });
    expect(await store.ids(undefined, 10)).toEqual([]);
  });
});

describe("what counts as stored", () => {
  const found = async (store = folderStore(folder)) => {
    const lock = await locked(store);
    const due = await store.due(new Date(), 10);
    const memory = (await store.readMemory(["mtg_1"])).get("mtg_1");
    await lock.release();
    return { due, memory };
  };
  const INCOMPLETE = { due: ["mtg_1"], memory: "incomplete" };

  it.each(["meeting.json", "transcript.md", "documents/Summary-doc_of_mtg_1.md", "", "documents"])(
    "is a meeting that has lost a file, until index.json is deleted: %j",
    async (path) => {
      const store = folderStore(folder);
      await writeItems(store, itemOf("mtg_1"), itemOf("mtg_2"));
      await rm(join(folder, FIRST, path), { recursive: true });
      expect(await found()).toEqual({ due: [], memory: itemOf("mtg_1").memory });
      await rm(join(folder, "index.json"));
      expect(await found()).toEqual(INCOMPLETE);
      // Nothing is stored of it, so it is also written over no memory.
      expect(await store.write({ items: [itemOf("mtg_1")], removed: [] }, undefined)).toEqual([]);
      expect(await names()).toHaveLength(9);
      expect(await found()).toMatchObject({ due: [] });
    },
  );

  it("is a meeting that is gone, whatever it has lost", async () => {
    await writeItems(folderStore(folder), itemOf("mtg_1"));
    await writeItems(folderStore(folder), changeOf("mtg_1", { isGone: true }));
    await rm(join(folder, FIRST), { recursive: true });
    await rm(join(folder, "index.json"));
    expect(await found()).toEqual({ due: [], memory: changeOf("mtg_1").memory });
  });

  it("is not a meeting whose transcript lacks a format that is new", async () => {
    await writeItems(folderStore(folder), itemOf("mtg_1"), changeOf("mtg_2", { meeting: meetingRow("mtg_2") }));
    const store = folderStore(folder, { transcript: ["json", "vtt"] });
    expect(await found(store)).toEqual(INCOMPLETE);
    await writeItems(store, itemOf("mtg_1"));
    expect((await names()).filter((name) => name.includes("transcript"))).toEqual([
      `${FIRST}/transcript.json`,
      `${FIRST}/transcript.vtt`,
    ]);
    expect(await found(store)).toMatchObject({ due: [] });
  });
});

describe("the index", () => {
  it("lists the newest meeting first, those of other processes as well, at the end of a run and each minute", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const newer = meetingRow("mtg_2", { start_time: "2026-01-01T09:00:00Z" });
    await writeItems(folderStore(folder), itemOf("mtg_2", { meeting: newer }));
    const ids = async () => [
      ...new Set((await json("index.json")).map(({ meeting_id }: { meeting_id: string }) => meeting_id)),
    ];
    const store = folderStore(folder);
    const lock = await locked(store);
    await store.write({ items: [itemOf("mtg_1")], removed: [] }, lock);
    expect(await ids()).toEqual(["mtg_2"]);
    await vi.advanceTimersByTimeAsync(60_000);
    await store.write({ items: [itemOf("mtg_3")], removed: [] }, lock);
    expect(await ids()).toEqual(["mtg_2", "mtg_1"]);
    await lock.release();
    expect(await ids()).toEqual(["mtg_2", "mtg_1", "mtg_3"]);
    await expectComplete();
  });

  it.each(["{", "[]", '[{"file":"../x","id":"a"}]', undefined])(
    "is made from the records if a killed run has left it as %j",
    async (content) => {
      const killed = folderStore(folder);
      const lock = await locked(killed);
      await killed.write({ items: [itemOf("mtg_1"), itemOf("mtg_2")], removed: [] }, lock);
      if (content !== undefined) await writeFile(join(folder, "index.json"), content);
      // Without its lock, the run counts as ended.
      await rm(join(folder, ".notetaker", "lock"));
      await (await locked(folderStore(folder))).release();
      await expectComplete();
      await lock.release();
    },
  );
});

describe("a recording", () => {
  const recordingOfFirst = (store = folderStore(folder)) => ({
    save: (...chunks: string[]) => store.saveRecording(meetingRow("mtg_1"), recordingOf(...chunks)),
    read: () => readFile(join(folder, FIRST, "recording.mp4"), "utf8"),
  });

  it("is saved beside the other files, with a note, and is in the index", async () => {
    const store = folderStore(folder);
    const { save, read } = recordingOfFirst(store);
    await save("first ", "second");
    expect(await read()).toBe("first second");
    expect(await json(`${FIRST}/recording.json`)).toEqual({
      file: "recording.mp4",
      size: 12,
      contentType: "video/mp4",
    });
    expect((await store.readMemory(["mtg_1"])).get("mtg_1")).toBe("incomplete");
    expect(await listed()).toEqual([]);
    await writeItems(store, itemOf("mtg_1"));
    expect((await store.readMemory(["mtg_1"])).get("mtg_1")).toBe(itemOf("mtg_1").memory);
    expect(await listed()).toEqual((await names()).filter((name) => name !== "index.json"));
  });

  it("of which it is not known whether it is complete has the warning of its download in its note", async () => {
    const download = Object.assign(recordingOf("first"), { warning: "the storage stated no length" });
    await folderStore(folder).saveRecording(meetingRow("mtg_1"), download);
    expect(await json(`${FIRST}/recording.json`)).toMatchObject({ warning: "the storage stated no length" });
  });

  it("is not written again, even if it was moved, until its note is deleted", async () => {
    const { save, read } = recordingOfFirst();
    await save("first");
    await rm(join(folder, FIRST, "recording.mp4"));
    await save("second");
    await expect(read()).rejects.toThrow("ENOENT");
    await writeFile(join(folder, FIRST, "recording.json"), "damaged");
    await save("third");
    expect(await read()).toBe("third");
  });

  it("is neither read nor written of a meeting that was forgotten meanwhile", async () => {
    const store = folderStore(folder);
    const lock = await locked(store);
    await store.write({ items: [itemOf("mtg_1")], removed: [] }, lock);
    await forgetMeetings(store, ["mtg_1"]);
    const cancel = vi.fn();
    const stream = new ReadableStream({ cancel, pull: (controller) => controller.close() }, { highWaterMark: 0 });
    await store.saveRecording(meetingRow("mtg_1"), { ...recordingOf(), stream: stream as never });
    await lock.release();
    expect(cancel).toHaveBeenCalledOnce();
    expect(await names()).toEqual(["index.json"]);
    expect((await store.readMemory(["mtg_1"])).get("mtg_1")).toBe("forgotten");
  });

  it("keeps the memory on which its meeting was decided", async () => {
    const store = folderStore(folder);
    await writeItems(store, itemOf("mtg_1"));
    const { memory } = itemOf("mtg_1");
    await recordingOfFirst(store).save("bytes");
    expect((await store.readMemory(["mtg_1"])).get("mtg_1")).toBe(memory);
    expect(await store.write({ items: [changeOf("mtg_1", { before: memory })], removed: [] }, undefined)).toEqual([]);
  });

  it("that breaks off is not there", async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from("half")),
      pull: () => Promise.reject(new Error("broke off")),
    });
    const saving = folderStore(folder).saveRecording(meetingRow("mtg_1"), {
      ...recordingOf(),
      stream: broken as never,
    });
    await expect(saving).rejects.toThrow("broke off");
    expect((await names()).filter((name) => name !== "index.json")).toEqual([]);
  });
});
