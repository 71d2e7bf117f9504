/** The rules of one meeting, by properties: whatever a service answers, and in whatever order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { documentTitles } from "../../src/assumptions.js";
import { dueMsOf, type Memory, parseMemory } from "../../src/sync/memory.js";
import { invalidGap, nameOf, type Piece } from "../../src/sync/pieces.js";
import { type MeetingRow, readRow } from "../../src/sync/rows.js";
import { type Answer, type Finding, settle, settleGone, settleUnlisted } from "../../src/sync/rules/settle.js";
import { toAsk } from "../../src/sync/rules/to-ask.js";
import { runs } from "../support/property-seed.js";

const HOUR = 3_600_000;
const terms = {
  wanted: { transcript: true, recording: false, documents: ["markdown" as const] },
  pollMs: 60_000,
  settleMs: 24 * HOUR,
  titles: documentTitles(),
};

const [START, END] = ["2026-01-05T09:00:00Z", "2026-01-05T10:00:00Z"];

function rowOf({
  status = "completed",
  end = END,
  documents = ["doc_1", "doc_2"] as readonly string[],
  title = "a",
} = {}) {
  const listed = documents.map((id) => ({ id, title: `${title} of ${id}`, created_at: END }));
  const facts = { title, status, source: "zoom", start_time: START, end_time: end };
  return readRow({ id: "mtg_1", ...facts, documents: listed }) as MeetingRow;
}

const transcriptOf = (text: string) => ({
  meeting_id: "mtg_1" as const,
  language: "en",
  speakers: [],
  segments: text === "" ? [] : [{ speaker_id: "spk_1" as const, start_time: 0, end_time: 1, text }],
});

const ANSWERS = ["whole", "empty", "partial", "404", "500", "403", "odd", "202", "429", "refused"] as const;

function answerTo(piece: Piece, kind: (typeof ANSWERS)[number], text: string, nowMs = 0): Answer {
  const failed = { reason: "failed", status: 500, retryable: true, message: `failed ${text}` } as const;
  if (kind === "404") return { gap: { ...failed, reason: "not_found", status: 404 } };
  if (kind === "403") return { gap: { ...failed, reason: "forbidden", status: 403, retryable: false } };
  if (kind === "500") return { gap: failed };
  if (kind === "202") return { gap: { ...failed, reason: "not_ready", status: 202 } };
  if (kind === "429") return { gap: { ...failed, status: 429 }, notBeforeMs: nowMs + 60_000 };
  // By the store.
  if (kind === "refused") return { gap: { reason: "invalid", retryable: true, message: "refused" } };
  if (kind === "odd") return { gap: invalidGap("segments: missing") };
  if (piece.kind === "transcript") {
    const transcript = transcriptOf(kind === "empty" ? "" : text);
    return kind === "partial" ? { transcript, gap: invalidGap("segments[1]: odd") } : { transcript };
  }
  const { id = "", format = "markdown" } = piece as { id?: string; format?: string };
  const document = { id: id as `doc_${string}`, title: "a", format, content: text, created_at: "2026-01-05T10:00:00Z" };
  return kind === "partial" ? { document, gap: invalidGap("content: odd") } : { document };
}

const step = fc.record({
  row: fc.record({
    status: fc.constantFrom("scheduled", "processing", "completed", "completed", "completed", "failed", "archiving"),
    end: fc.constantFrom("2026-01-05T10:00:00Z", "2026-01-05T10:30:00Z"),
    documents: fc.constantFrom([], ["doc_1"], ["doc_1", "doc_2"], ["doc_2", "doc_1"]),
    title: fc.constantFrom("a", "b"),
  }),
  isNamed: fc.constantFrom(false, false, true),
  hours: fc.integer({ min: 0, max: 30 }),
  answers: fc.array(fc.constantFrom(...ANSWERS), { minLength: 4, maxLength: 4 }),
  text: fc.constantFrom("one", "two"),
});

test("what is stored as a whole stays until a whole one comes, and is missing only if the store refuses that", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
      let text: string | undefined;
      let transcript: string | undefined;
      let nowMs = Date.parse("2026-01-05T09:00:00Z");
      for (const { row: facts, isNamed, hours, answers, text: said } of steps) {
        nowMs += hours * HOUR;
        const look = { row: rowOf(facts), known: parseMemory(text), isNamed, terms, nowMs };
        const ask = toAsk(look);
        if (ask === undefined) continue;
        const got = new Map(
          ask.map((piece, index) => [nameOf(piece), answerTo(piece, answers[index] ?? "whole", said)]),
        );
        const isWhole = got.get("transcript")?.transcript && !got.get("transcript")?.gap && answers[0] !== "empty";
        const finding = settle(look, got);
        if (transcript !== undefined && !isWhole) expect(finding?.item.transcript).toBeUndefined();
        if (isWhole) transcript = said;
        text = finding?.item.memory ?? text;
        if (transcript === undefined) continue;
        const missing = finding?.item.missing.filter(({ what }) => what === "transcript") ?? [];
        expect(missing.every(({ message }) => message === "refused")).toBe(true);
        const isRefused = answers[0] === "refused" && facts.status === "completed";
        if (finding !== undefined && got.has("transcript")) expect(missing).toHaveLength(isRefused ? 1 : 0);
      }
    }),
    { numRuns: runs(200) },
  );
});

test("with a service that is well, what is due always ends, and then there is no news", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), (steps) => {
      let text: string | undefined;
      let nowMs = Date.parse("2026-01-05T09:00:00Z");
      const examine = (row: MeetingRow, isNamed: boolean, answer: (piece: Piece, index: number) => Answer) => {
        const look = { row, known: parseMemory(text), isNamed, terms, nowMs };
        const ask = toAsk(look);
        if (ask === undefined) return false;
        const got = new Map(ask.map((piece, index) => [nameOf(piece), answer(piece, index)]));
        text = settle(look, got)?.item.memory ?? text;
        return true;
      };
      for (const { row, isNamed, hours, answers, text: said } of steps) {
        nowMs += hours * HOUR;
        examine(rowOf(row), isNamed, (piece, index) => answerTo(piece, answers[index] ?? "whole", said));
      }
      const last = rowOf({ title: "last" });
      for (let tries = 0; tries < 3; tries += 1) {
        nowMs += HOUR;
        examine(last, false, (piece) => answerTo(piece, "whole", "end"));
      }
      expect(dueMsOf(parseMemory(text).memory as Memory)).toBeUndefined();
      expect(
        toAsk({ row: last, known: parseMemory(text), isNamed: false, terms, nowMs: nowMs + HOUR }),
      ).toBeUndefined();
    }),
    { numRuns: runs(200) },
  );
});

const days = (answer: string, count: number) => Array.from({ length: count }, () => `24:${answer}`).join(" ");

test.each<[steps: string, expected: string | undefined]>([
  ["0:404 1:404", "not_ready"],
  ["0:404 1:404 24:404", "not_found for good"],
  ["0:403", "forbidden for good"],
  [days("500", 4), "failed"],
  [days("500", 5), "failed for good"],
  [days("202", 4), "not_ready"],
  [days("odd", 4), "invalid"],
  ["0:500 1:odd 1:whole", undefined],
  [`0:404 ${days("429", 5)} 1:404`, "not_ready"],
  ["0:empty", "not_ready"],
  ["0:empty 25:empty", undefined],
])("after so many hours, a transcript answers %s: it is missing as %s", (steps, expected) => {
  const row = rowOf({ documents: [] });
  let text: string | undefined;
  let nowMs = Date.parse("2026-01-05T12:00:00Z");
  let missing: readonly { reason: string; retryable: boolean }[] = [];
  for (const [hours, answer] of steps.split(" ").map((step) => step.split(":"))) {
    nowMs += Number(hours) * HOUR;
    const look = { row, known: parseMemory(text), isNamed: false, terms, nowMs };
    expect(toAsk(look)).toEqual([{ kind: "transcript" }]);
    const got = answerTo({ kind: "transcript" }, answer as (typeof ANSWERS)[number], "one", nowMs);
    const item = settle(look, new Map([["transcript", got]]))?.item;
    text = item?.memory;
    missing = item?.missing ?? [];
    // Its first pause is a minute.
    expect(toAsk({ ...look, known: parseMemory(text), nowMs: nowMs + 59_000 })).toBeUndefined();
  }
  expect(missing.map(({ reason, retryable }) => (retryable ? reason : `${reason} for good`))[0]).toBe(expected);
  // An event begins anew.
  const event = { row, known: parseMemory(text), isNamed: true, terms, nowMs };
  expect(toAsk(event)).toEqual([{ kind: "transcript" }]);
});

test("a newer transcript that failed is requested again when its meeting returns, or is wanted again", () => {
  const nowMs = Date.parse("2026-01-05T12:00:00Z");
  const steps = [
    [rowOf({ documents: [] }), "whole"],
    [rowOf({ documents: [], end: "2026-01-05T10:30:00Z" }), "403"],
  ] as const;
  let text: string | undefined;
  for (const [row, answer] of [...steps, [steps[1][0], "500"]] as const) {
    const look = { row, known: parseMemory(text), isNamed: true, terms, nowMs };
    text = settle(look, new Map([["transcript", answerTo({ kind: "transcript" }, answer, "one")]]))?.item.memory;
  }
  const known = parseMemory(text);
  const gone = settleGone("mtg_1", known, known.memory as Memory, nowMs)?.item.memory;
  const look = { row: steps[1][0], known, isNamed: false, terms, nowMs };
  expect(settle({ ...look, known: parseMemory(gone) }, new Map())?.change?.changed).toContain("gone");
  const unwanted = { ...look, terms: { ...terms, wanted: { ...terms.wanted, transcript: false } } };
  for (const memory of [gone, settle(unwanted, new Map())?.item.memory]) {
    expect(toAsk({ ...look, known: parseMemory(memory) })).toEqual([{ kind: "transcript" }]);
  }
});

test.each<[answers: string, stored: string, missing: string | undefined]>([
  ["empty", "", "not_ready"],
  ["empty partial", "one", "invalid"],
  ["empty whole", "one", undefined],
  ["partial empty", "one", "invalid"],
  ["partial empty empty empty empty", "one", "invalid for good"],
  ["partial empty 500", "one", "failed"],
  ["partial empty whole", "one", undefined],
  ["whole empty", "one", undefined],
])(
  "of a transcript that answers %s, once a day, the text that is stored is “%s”, missing as %s",
  (answers, text, expected) => {
    const row = rowOf({ documents: [] });
    let memory: string | undefined;
    let stored: string | undefined;
    let missing: readonly { reason: string; retryable: boolean }[] = [];
    for (const [day, answer] of answers.split(" ").entries()) {
      const look = { row, known: parseMemory(memory), isNamed: true, terms, nowMs: Date.parse(END) + day * 24 * HOUR };
      const isNamed = day === 0 || answers.startsWith("whole");
      expect(toAsk({ ...look, isNamed })).toEqual([{ kind: "transcript" }]);
      const got = answerTo({ kind: "transcript" }, answer as (typeof ANSWERS)[number], "one");
      const item = settle({ ...look, isNamed }, new Map([["transcript", got]]))?.item;
      memory = item?.memory ?? memory;
      if (item?.transcript) stored = item.transcript.segments[0]?.text ?? "";
      missing = item?.missing ?? missing;
    }
    expect(stored).toBe(text);
    expect(missing.map(({ reason, retryable }) => (retryable ? reason : `${reason} for good`))[0]).toBe(expected);
  },
);

test("a document of which two formats are new is one change", () => {
  const wanted = { ...terms.wanted, documents: ["markdown" as const, "html" as const] };
  const row = rowOf({ documents: ["doc_1"] });
  const look = { row, known: parseMemory(undefined), isNamed: false, terms: { ...terms, wanted }, nowMs: 0 };
  const got = new Map((toAsk(look) ?? []).map((piece) => [nameOf(piece), answerTo(piece, "whole", "one")]));
  expect(settle(look, got)?.change?.changed).toEqual(["meeting", "transcript", { document: "doc_1" }]);
});

test("an id that no list shows is looked for until settleMs has passed, and is then forgotten", () => {
  const look = { known: parseMemory(undefined), isNamed: false, terms, nowMs: Date.parse(START) };
  const known = parseMemory((settleUnlisted("mtg_1", look, false) as Finding).item.memory);
  const after = (hours: number) => settleUnlisted("mtg_1", { ...look, known, nowMs: look.nowMs + hours * HOUR }, false);
  expect([after(23), after(24)]).toEqual([expect.objectContaining({ change: undefined }), "forget"]);
});
