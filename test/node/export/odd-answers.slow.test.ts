/** A response that breaks the API specification does not end an export: it is saved unchanged, and reported. */
import fc from "fast-check";
import { type ExportSummary, exportMeetings } from "notetaker-sdk/node";
import { describe, expect, it } from "vitest";
import { runs } from "../../support/property-seed.js";
import {
  account,
  clientOfEdited,
  editedRows,
  meetings,
  pathWith,
  type Store,
  storeSink,
  text,
  UNLIMITED,
  withField,
} from "../support/account.js";

// biome-ignore lint/suspicious/noExplicitAny: the tests edit JSON of any shape
type Json = any;
type Edit = (path: string, body: Json) => unknown;
type Validation = "strict" | "warn" | "off";

async function exportEdited(edit: Edit, { count = 3, validation = "strict" as Validation, formats = {} } = {}) {
  const { service } = account(meetings(count));
  const store: Store = new Map();
  const notetaker = clientOfEdited(service, edit, { validation });
  const into = { into: storeSink(store), ...UNLIMITED, formats };
  return { store, summary: await exportMeetings(notetaker, into) };
}

const MODES: Validation[] = ["strict", "warn", "off"];
const idOf = (index: number) => `mtg_${String(index).padStart(5, "0")}`;
const summaryOf = ({ missing }: ExportSummary) =>
  missing.map(({ meeting_id, what, reason }) => `${meeting_id} ${what}: ${reason}`);

describe.each(MODES)("with validation %s", (validation) => {
  it("an invalid row of the list is saved unchanged and reported, with its position if it has no id", async () => {
    const odd: [field: string, value: Json][] = [
      ["duration", 1860.5],
      ["title", 5],
      ["start_time", null],
      ["documents", {}],
      ["participants", [null]],
      ["host", "Ada"],
      ["status", 7],
    ];
    const unreadable = [null, 5, "row", [], {}, { id: null }, { id: "room_1" }];
    const edit = editedRows((rows) => {
      const edited = rows.map((row, index) => (odd[index] ? { ...row, [odd[index][0]]: odd[index][1] } : row));
      return [...edited, ...unreadable];
    });
    const { store, summary } = await exportEdited(edit, { count: odd.length + 1, validation });
    expect(summary.meetings).toBe(odd.length + 1);
    expect(summaryOf(summary)).toEqual([
      ...unreadable.map((_, index) => ` meeting (page 1, row ${odd.length + 2 + index}): invalid`).sort(),
      ...odd.map((_, index) => `${idOf(index)} meeting: invalid`),
    ]);
    for (const [index, [field, value]] of odd.entries()) {
      expect(summary.missing.find(({ meeting_id }) => meeting_id === idOf(index))?.message).toContain(field);
      expect(JSON.parse(text(store, pathWith(store, `${idOf(index)}/meeting.json`)))[field]).toEqual(value);
      pathWith(store, `${idOf(index)}/transcript.md`);
    }
  });

  it("an invalid transcript is saved and reported, as far as it can be read", async () => {
    const edits: ((transcript: Json) => unknown)[] = [
      (transcript) => ({ ...transcript, segments: [null, ...transcript.segments] }),
      ({ segments: _, ...transcript }) => ({ ...transcript, segments: "none" }),
      () => "sorry",
    ];
    const edit: Edit = (path, body) => {
      const index = Number(/mtg_(\d+)\/transcript/.exec(path)?.[1]);
      return edits[index]?.(body) ?? body;
    };
    const formats = { transcript: ["json", "markdown", "text", "srt", "vtt"] };
    const { store, summary } = await exportEdited(edit, { validation, formats });
    expect(summaryOf(summary)).toEqual([
      "mtg_00000 transcript: invalid",
      "mtg_00001 transcript: invalid",
      "mtg_00002 transcript: failed",
    ]);
    expect(summary.missing[0]?.message).toContain("segments[0]");
    for (const extension of ["md", "txt", "srt", "vtt"]) {
      expect(text(store, pathWith(store, `mtg_00000/transcript.${extension}`))).toContain("This is meeting 0.");
    }
    expect(JSON.parse(text(store, pathWith(store, "mtg_00000/transcript.json"))).segments[0]).toBeNull();
    expect(JSON.parse(text(store, pathWith(store, "mtg_00001/transcript.received.json"))).segments).toBe("none");
    expect([...store.keys()].filter((path) => path.includes("mtg_00002/transcript"))).toEqual([]);
  });

  it("an invalid document is saved and reported, and one that is not the requested document is not saved", async () => {
    const document = { id: "doc_x", title: "x", format: "markdown", content: "x", created_at: "2025-01-02T00:00:00Z" };
    const readable = { ...document, title: 5 };
    const odd = [
      { unexpected: true },
      { format: null },
      { format: 5, content: "x" },
      {},
      { ...document, content: [1] },
    ];
    const others = [{ format: "html", content: "<p>" }, "sorry", null];
    const answers: unknown[] = [readable, ...odd, ...others];
    const edit: Edit = (path, body) => {
      const index = Number(/doc_(\d+)_0$/.exec(path)?.[1]);
      return Number.isNaN(index) ? body : answers[index];
    };
    const { store, summary } = await exportEdited(edit, { count: answers.length, validation });
    expect(summaryOf(summary)).toEqual(
      answers.map((_, index) => {
        const reason = index > odd.length ? "failed" : "invalid";
        return `${idOf(index)} document doc_${index}_0 (markdown): ${reason}`;
      }),
    );
    expect(text(store, pathWith(store, "Summary-doc_0_0.md"))).toBe("x");
    for (const [index, received] of odd.entries()) {
      const path = pathWith(store, `Summary-doc_${index + 1}_0.received.json`);
      expect(JSON.parse(text(store, path))).toEqual(received);
    }
    const files = [...store.keys()].filter((path) => /doc_[678]_0/.test(path));
    expect(files).toEqual([]);
  });
});

it.each(MODES)("with validation %s, a transcript whose segments are null is saved as received", async (validation) => {
  const edit: Edit = (path, body) => (path.endsWith("/transcript") ? { ...(body as object), segments: null } : body);
  const { store, summary } = await exportEdited(edit, { count: 1, validation });
  expect(summary.missing).toMatchObject([{ what: "transcript", reason: "invalid", status: 200, retryable: false }]);
  expect(JSON.parse(text(store, pathWith(store, "transcript.received.json")))).toMatchObject({ segments: null });
});

describe("an export", () => {
  const VALUES = [null, 5, -1, 1.5, "", "x", true, [], {}, [null], [[]], { id: 5 }, "toString", "__proto__"];

  it.each(MODES)(
    "with validation %s never ends with an unexpected error, whatever one field of a response contains",
    async (validation) => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom("/meetings", "/transcript", "/documents/"),
          fc.nat(),
          fc.constantFrom<unknown>(...VALUES),
          async (endpoint, place, value) => {
            const edit: Edit = (path, body) => {
              const isEdited = endpoint === "/meetings" ? path.endsWith(endpoint) : path.includes(endpoint);
              return isEdited ? withField(body, place, value) : body;
            };
            const formats = { transcript: ["json", "markdown", "text", "srt", "vtt"] as const };
            await exportEdited(edit, { count: 1, validation, formats }).then(
              ({ summary }) => expect(summary.meetings).toBeLessThanOrEqual(1),
              // Only a response that is not a page ends the run.
              (error) => expect(["PaginationError", "ResponseValidationError"]).toContain(error.name),
            );
          },
        ),
        { numRuns: runs(80) },
      );
    },
  );

  it("saves a meeting whose row is nested more deeply than JSON.stringify can write", async () => {
    const depth = 20_000;
    const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const { service } = account(meetings(2));
    const store: Store = new Map();
    const fetch = async (...args: Parameters<typeof globalThis.fetch>) => {
      const response = await service.fetch(...args);
      const { pathname } = new URL(args[0] instanceof Request ? args[0].url : args[0]);
      if (!pathname.endsWith("/meetings")) return response;
      const body = (await response.text()).replace('"id":"mtg_00001"', `"id":"mtg_00001","extra":${deep}`);
      return new Response(body, { status: response.status, headers: { "content-type": "application/json" } });
    };
    const summary = await exportMeetings(
      clientOfEdited(service, (_, body) => body, { fetch }),
      {
        into: storeSink(store),
        ...UNLIMITED,
      },
    );
    expect(summary).toMatchObject({ meetings: 2, saved: 6 });
    expect(summary.missing).toMatchObject([{ meeting_id: "mtg_00001", what: "meeting", reason: "invalid" }]);
  });
});
