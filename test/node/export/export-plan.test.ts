/** How the options of an export become its plan, and which options make it a different export. */
import { InvalidArgumentError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { exportPlan } from "../../../src/node/export/export-options.js";
import { realClock } from "../../../src/node/reading/export-clock.js";
import { walkPlan } from "../../../src/node/walk/walk-options.js";

const sink = { write() {}, read: () => undefined };
const full = { ...sink, writeStream: async () => {}, delete() {}, lock: async () => async () => {} };
const planOf = (options: object = {}) => exportPlan({ into: sink, ...options });

function issuesOf(call: () => unknown) {
  try {
    call();
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error.issues;
    throw error;
  }
  return [];
}

describe("the plan of an export", () => {
  it("saves transcripts as JSON and Markdown, documents as Markdown, and no recordings by default", () => {
    expect(planOf()).toMatchObject({
      sink,
      transcript: ["json", "markdown"],
      documents: ["markdown"],
      recording: false,
      skipExisting: false,
      prune: false,
      concurrency: 4,
      requestsPerMinute: 60,
      clock: realClock,
    });
    expect(planOf({ formats: {} }).transcript).toEqual(["json", "markdown"]);
  });

  it("follows the options, and contains each document format once", () => {
    const clock = { now: () => 0, sleep: async () => {} };
    const given = { skipExisting: true, prune: true, concurrency: 1, requestsPerMinute: 1.5, clock };
    const formats = { transcript: [], documents: ["docx", "raw", "docx"], recording: true };
    expect(planOf({ into: full, ...given, formats })).toMatchObject({
      ...given,
      transcript: [],
      documents: ["docx", "raw"],
      recording: true,
    });
  });

  it("is different if the period, the formats or the recordings differ, and equal otherwise", () => {
    const keyOf = (options: object = {}) => planOf(options).key;
    const render = () => "";
    const others = [
      {},
      { since: "2025-01-01" },
      { since: "2025-01-02" },
      { until: "2025-01-01" },
      { formats: { transcript: ["json"] } },
      { formats: { transcript: [{ extension: "json", render }] } },
      { formats: { transcript: [{ extension: "html", render }] } },
      { formats: { documents: ["docx"] } },
      { formats: { recording: true } },
    ].map(keyOf);
    expect(new Set(others).size).toBe(others.length);
    expect(keyOf({ concurrency: 1, skipExisting: true, into: full, prune: true })).toBe(keyOf());
    expect(
      JSON.parse(keyOf({ since: "2025-01-01", formats: { transcript: [{ extension: "html", render }] } })),
    ).toEqual({
      since: "2025-01-01",
      until: null,
      transcript: [".html"],
      documents: ["markdown"],
      recording: false,
    });
  });

  it.each<[object, string, string]>([
    [{ into: "" }, "into", "expected a folder, or a sink with write(path, bytes) and read(path), received "],
    [{ into: null }, "into", "expected a folder, or a sink"],
    [{ into: { write() {} } }, "into", "expected a folder, or a sink"],
    [{ into: { read() {} } }, "into", "expected a folder, or a sink"],
    [{ into: { ...sink, writeStream: true } }, "into", "expected a folder, or a sink"],
    [{ into: { ...sink, delete: "yes" } }, "into", "expected a folder, or a sink"],
    [{ into: { ...sink, lock: {} } }, "into", "expected a folder, or a sink"],
    [{ prune: true }, "into", "expected a sink with delete(path), which prune needs"],
    [{ clock: { now: () => 0 } }, "clock", "a clock with now() and sleep(ms, signal)"],
    [{ clock: { sleep() {} } }, "clock", "a clock with now() and sleep(ms, signal)"],
    [{ clock: null }, "clock", "a clock with now() and sleep(ms, signal)"],
    [{ concurrency: 0 }, "concurrency", "a whole number of at least 1"],
    [{ concurrency: 1.5 }, "concurrency", "a whole number of at least 1"],
    [{ requestsPerMinute: 0.5 }, "requestsPerMinute", "a number of at least 1"],
    [{ since: 5 }, "since", "a Date, or a calendar date of the form YYYY-MM-DD"],
    [{ until: new Date(Number.NaN) }, "until", "a Date, or a calendar date of the form YYYY-MM-DD"],
    [{ formats: { transcript: ["docx"] } }, "formats.transcript[0]", "json, markdown, text, srt, vtt, or an extension"],
    [
      { formats: { transcript: ["json", "text", { extension: "txt", render() {} }] } },
      "formats.transcript[2]",
      "two formats write transcript.txt",
    ],
    [{ formats: { transcript: ["json", "json"] } }, "formats.transcript[1]", "two formats write transcript.json"],
  ])("is refused for %j", (options, path, message) => {
    const issues = issuesOf(() => planOf(options));
    expect(issues).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  it("is refused with all problems in one error", () => {
    const options = { since: "2025-01-02", until: "2025-01-01", prune: true, formats: { transcript: ["srt", "srt"] } };
    expect(issuesOf(() => planOf(options)).map(({ path }) => path)).toEqual(["until", "formats.transcript[1]", "into"]);
  });
});

describe("the plan of a walk", () => {
  it("fetches transcripts, and documents as Markdown, from the first meeting on by default", () => {
    expect(walkPlan({})).toEqual({
      place: { cursor: null, page: 1, seen: [], since: undefined, until: undefined },
      wanted: { transcript: true, recording: false, documents: ["markdown"] },
      known: new Set(),
      concurrency: 4,
      requestsPerMinute: 60,
      clock: realClock,
    });
  });

  it("follows the options, and contains each document format once", () => {
    const clock = { now: () => 0, sleep: async () => {} };
    const plan = walkPlan({
      since: "2025-01-01",
      until: "2025-01-02",
      formats: { transcript: ["json"], documents: ["docx", "raw", "docx"] },
      known: ["mtg_1", "mtg_1", "mtg_2"],
      onGone() {},
      concurrency: 1,
      requestsPerMinute: 2,
      clock,
    });
    expect(plan).toEqual({
      place: { cursor: null, page: 1, seen: [], since: "2025-01-01", until: "2025-01-02" },
      wanted: { transcript: true, recording: false, documents: ["docx", "raw"] },
      known: new Set(["mtg_1", "mtg_2"]),
      concurrency: 1,
      requestsPerMinute: 2,
      clock,
    });
    expect([[], false, true].map((transcript) => walkPlan({ formats: { transcript } }).wanted.transcript)).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each<[object, string, string]>([
    [{ resume: "nonsense" }, "resume", "expected the checkpoint of an item"],
    [{ onGone() {} }, "known", "expected the ids of the meetings that you have, which onGone needs"],
    [{ known: 5 }, "known", "an iterable of meeting ids"],
    [{ known: null }, "known", "an iterable of meeting ids"],
    [{ known: {} }, "known", "an iterable of meeting ids"],
    [{ known: ["mtg_1", "mtg_2", "room_1", "x"] }, "known[2]", "mtg_"],
    [{ formats: { transcript: "json" } }, "formats.transcript", "true, false or a list of formats"],
    [{ resume: 5 }, "resume", "string"],
  ])("is refused for %j", (options, path, message) => {
    expect(issuesOf(() => walkPlan(options))).toEqual([{ path, message: expect.stringContaining(message) }]);
  });

  it("is refused with all problems in one error", () => {
    const options = { since: "2025-01-02", until: "2025-01-01", known: ["x"], resume: "nonsense" };
    expect(issuesOf(() => walkPlan(options)).map(({ path }) => path)).toEqual(["until", "known[0]", "resume"]);
  });
});
