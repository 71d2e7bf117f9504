/** The record that an export keeps of each meeting, and which parts are trusted when it is read again. */
import { describe, expect, it } from "vitest";
import { entriesOf, readIndex, writeIndex } from "../../../src/node/export/index-file.js";
import {
  currentRecord,
  deleteMeeting,
  readRecord,
  withFiles,
  writeRecord,
} from "../../../src/node/export/meeting-records.js";
import { SinkWriter } from "../../../src/node/sink/sink-writer.js";
import type { Meeting } from "../../../src/schemas/meeting.js";
import { type Store, storeSink, text } from "./export-support.js";

const RECORD = ".notetaker-export/names/mtg_1.json";
const meeting = {
  id: "mtg_1",
  title: "Weekly",
  status: "completed",
  source: "zoom",
  start_time: "2025-01-01T09:00:00Z",
  documents: [{ id: "doc_1", title: "Summary" }],
} as unknown as Meeting;
const file = (name: string) => ({ file: name, id: "mtg_1", title: "Weekly", version: "v1" });

function sinkWith(files: Record<string, unknown> = {}) {
  const store: Store = new Map(
    Object.entries(files).map(([path, value]) => [path, Buffer.from(JSON.stringify(value))]),
  );
  const deleted: string[] = [];
  const sink = new SinkWriter({
    ...storeSink(store),
    delete(path) {
      deleted.push(path);
      store.delete(path);
    },
  });
  return { store, sink, deleted };
}

describe("the record of a meeting", () => {
  it("is read back unchanged", async () => {
    const { sink, store } = sinkWith();
    const record = withFiles(currentRecord(meeting, undefined), [file("transcript.md"), file("recording.wav")]);
    await writeRecord(sink, record);
    expect(JSON.parse(text(store, RECORD))).toEqual({
      folder: "2025-01-01-Weekly-mtg_1",
      documents: { doc_1: "Summary-doc_1" },
      title: "Weekly",
      date: "2025-01-01T09:00:00Z",
      files: [file("recording.wav"), file("transcript.md")],
    });
    expect(await readRecord(sink, "mtg_1")).toEqual({ ...record, files: expect.any(Map) });
    expect([...((await readRecord(sink, "mtg_1"))?.files.keys() ?? [])]).toEqual(["recording.wav", "transcript.md"]);
  });

  it("keeps its folder, documents and files when the meeting changes", () => {
    const earlier = withFiles(currentRecord(meeting, undefined), [file("transcript.md")]);
    const changed = {
      ...meeting,
      title: undefined,
      start_time: "2025-02-02T09:00:00Z",
      documents: [
        { id: "doc_1", title: "Renamed" },
        { id: "doc_2", title: "New" },
      ],
    } as unknown as Meeting;
    const record = currentRecord(changed, earlier);
    expect(record).toMatchObject({ id: "mtg_1", folder: "2025-01-01-Weekly-mtg_1", title: null });
    expect(record.date).toBe("2025-02-02T09:00:00Z");
    expect(Object.fromEntries(record.documents)).toEqual({ doc_1: "Summary-doc_1", doc_2: "New-doc_2" });
    expect([...record.files.keys()]).toEqual(["transcript.md"]);
    expect(currentRecord({ ...meeting, documents: null } as Meeting, undefined).documents.size).toBe(0);
  });

  it("has the newer of two files with the same path", () => {
    const record = withFiles(currentRecord(meeting, undefined), [file("transcript.md")]);
    const newer = withFiles(record, [{ ...file("transcript.md"), version: "v2" }, file("meeting.md")]);
    expect([...newer.files.values()].map(({ file: name, version }) => `${name} ${version}`)).toEqual([
      "transcript.md v2",
      "meeting.md v1",
    ]);
    expect(record.files.get("transcript.md")?.version).toBe("v1");
  });

  it.each([
    undefined,
    5,
    [],
    {},
    { folder: "mtg_1" },
    { documents: {} },
    { folder: 5, documents: {} },
    { folder: "../mtg_1", documents: {} },
    { folder: "mtg_2", documents: {} },
    { folder: "mtg_1", documents: {}, title: 5 },
    { folder: "mtg_1", documents: {}, date: 5 },
    { folder: "mtg_1", documents: {}, files: 5 },
  ])("is ignored if it is %j", async (value) => {
    const { sink } = sinkWith(value === undefined ? {} : { [RECORD]: value });
    expect(await readRecord(sink, "mtg_1")).toBeUndefined();
  });

  it("is read even if an earlier version wrote it without title, date and files", async () => {
    const { sink } = sinkWith({ [RECORD]: { folder: "a-mtg_1", documents: {} } });
    expect(await readRecord(sink, "mtg_1")).toEqual({
      id: "mtg_1",
      folder: "a-mtg_1",
      documents: new Map(),
      title: null,
      date: "",
      files: new Map(),
    });
  });

  it("is read without the names and files that cannot belong to its meeting", async () => {
    const documents = { doc_1: "Summary-doc_1", doc_2: "../x-doc_2", doc_3: 5, doc_4: "doc_1" };
    const files = [file("transcript.md"), file("../transcript.md"), null, 5];
    const { sink } = sinkWith({ [RECORD]: { folder: "mtg_1", documents, title: null, date: "d", files } });
    const record = await readRecord(sink, "mtg_1");
    expect([...(record?.documents.keys() ?? [])]).toEqual(["doc_1"]);
    expect([...(record?.files.keys() ?? [])]).toEqual(["transcript.md"]);
  });
});

it("deleting a meeting deletes its files first and its record last", async () => {
  const { sink, deleted } = sinkWith();
  await deleteMeeting(
    sink,
    withFiles(currentRecord(meeting, undefined), [file("transcript.md"), file("recording.wav")]),
  );
  expect(deleted).toEqual([
    "2025-01-01-Weekly-mtg_1/transcript.md",
    "2025-01-01-Weekly-mtg_1/recording.wav",
    "2025-01-01-Weekly-mtg_1/meeting.json",
    RECORD,
  ]);
});

describe("the index of an export", () => {
  const entry = (meetingId: string, name: string, date: string) => ({
    id: meetingId,
    title: null,
    date,
    file: `a-${meetingId}/${name}`,
    meeting_id: meetingId,
  });

  it("has one entry for the meeting and one for each of its files", () => {
    const document = { file: "documents/Summary-doc_1.md", id: "doc_1", title: "Summary", version: "v" };
    const record = withFiles(currentRecord(meeting, undefined), [file("transcript.md"), document]);
    const own = { date: "2025-01-01T09:00:00Z", meeting_id: "mtg_1" };
    expect(entriesOf(record)).toEqual([
      { ...own, id: "mtg_1", title: "Weekly", file: "2025-01-01-Weekly-mtg_1/meeting.json" },
      { ...own, id: "mtg_1", title: "Weekly", file: "2025-01-01-Weekly-mtg_1/transcript.md" },
      { ...own, id: "doc_1", title: "Summary", file: "2025-01-01-Weekly-mtg_1/documents/Summary-doc_1.md" },
    ]);
  });

  it("is sorted by date, the newest first, and then by file", async () => {
    const { sink, store } = sinkWith();
    const entries = [
      entry("mtg_1", "b", "2025-01-01"),
      entry("mtg_2", "a", "2025-01-02"),
      entry("mtg_1", "a", "2025-01-01"),
      entry("mtg_1", "c", "2025-01-01"),
      entry("mtg_3", "a", "2024-12-31"),
    ];
    await writeIndex(sink, entries);
    expect(JSON.parse(text(store, "index.json")).map((one: { file: string }) => one.file)).toEqual([
      "a-mtg_2/a",
      "a-mtg_1/a",
      "a-mtg_1/b",
      "a-mtg_1/c",
      "a-mtg_3/a",
    ]);
    expect(entries[0]?.file).toBe("a-mtg_1/b");
    expect(await readIndex(sink)).toHaveLength(5);
  });

  it("is read without the entries that this library did not write", async () => {
    const good = entry("mtg_1", "transcript.md", "2025-01-01");
    const odd = [
      null,
      5,
      {},
      { ...good, id: 5 },
      { ...good, title: 5 },
      { ...good, date: null },
      { ...good, meeting_id: 5 },
      { ...good, file: 5 },
      { ...good, file: "a-mtg_1" },
      { ...good, file: "../a-mtg_1/x" },
      { ...good, file: "b/a-mtg_1" },
      { ...good, meeting_id: "mtg_2" },
    ];
    const { sink } = sinkWith({ "index.json": [...odd, good, ...odd] });
    expect(await readIndex(sink)).toEqual([good]);
  });

  it.each([undefined, null, {}, 5, "[]"])("has no entries if it is %j", async (value) => {
    const { sink } = sinkWith(value === undefined ? {} : { "index.json": value });
    expect(await readIndex(sink)).toEqual([]);
  });
});
