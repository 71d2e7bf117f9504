/** A response that breaks the API specification does not end an export: it is saved unchanged, and reported. */
import fc from "fast-check";
import { exportMeetings } from "notetaker-sdk/node";
import { describe, expect, it } from "vitest";
import { runs } from "../../support/property-seed.js";
import {
  account,
  clientOfEdited,
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

/** Changes the second meeting of the list. */
const editSecondRow =
  (edit: (row: Json) => unknown): Edit =>
  (path, body) =>
    path.endsWith("/meetings")
      ? { ...body, data: body.data.map((row: Json, i: number) => (i === 1 ? edit(row) : row)) }
      : body;

const MODES: Validation[] = ["strict", "warn", "off"];

describe.each(MODES)("with validation %s, an invalid row of the meeting list", (validation) => {
  it.each([
    ["duration", 1860.5],
    ["title", 5],
    ["start_time", null],
    ["documents", {}],
    ["participants", [null]],
    ["host", "Ada"],
    ["status", 7],
  ])("is saved unchanged and reported if its %s is %j", async (field, value) => {
    const { store, summary } = await exportEdited(
      editSecondRow((row) => ({ ...row, [field]: value })),
      { validation },
    );
    expect(summary.meetings).toBe(3);
    expect(summary.missing).toEqual([
      {
        meeting_id: "mtg_00001",
        title: null,
        what: "meeting",
        reason: "invalid",
        message: expect.stringContaining(field),
      },
    ]);
    const saved = JSON.parse(text(store, pathWith(store, "mtg_00001/meeting.json")));
    expect(saved[field]).toEqual(value);
    for (const id of ["mtg_00000", "mtg_00001", "mtg_00002"]) pathWith(store, `${id}/transcript.md`);
  });

  it.each([null, 5, "row", [], {}, { id: null }, { id: "room_1" }])(
    "is reported with its position if it is %j, which has no id; the other rows are saved",
    async (row) => {
      const { summary } = await exportEdited(
        editSecondRow(() => row),
        { validation },
      );
      expect(summary).toMatchObject({ meetings: 2, saved: 6 });
      expect(summary.missing).toEqual([
        {
          meeting_id: "",
          title: null,
          what: "meeting (page 1, row 2)",
          reason: "invalid",
          message: "the row of the meeting list has no meeting id",
        },
      ]);
    },
  );
});

describe.each(MODES)("with validation %s, an invalid transcript", (validation) => {
  const editTranscript =
    (edit: (transcript: Json) => unknown): Edit =>
    (path, body) =>
      path.includes("mtg_00001/transcript") ? edit(body) : body;

  it("with a segment of null is saved in every format, with the JSON unchanged, and reported", async () => {
    const { store, summary } = await exportEdited(
      editTranscript((transcript) => ({ ...transcript, segments: [null, ...transcript.segments] })),
      { validation, formats: { transcript: ["json", "markdown", "text", "srt", "vtt"] } },
    );
    expect(summary.missing).toMatchObject([
      {
        meeting_id: "mtg_00001",
        what: "transcript",
        reason: "invalid",
        message: expect.stringContaining("segments[0]"),
      },
    ]);
    expect(text(store, pathWith(store, "mtg_00001/transcript.md"))).toContain("This is meeting 1.");
    expect(text(store, pathWith(store, "mtg_00001/transcript.txt"))).toContain("This is meeting 1.");
    expect(JSON.parse(text(store, pathWith(store, "mtg_00001/transcript.json"))).segments[0]).toBeNull();
  });

  it("without segments is saved unchanged, and reported", async () => {
    const { store, summary } = await exportEdited(
      editTranscript(({ segments: _, ...transcript }) => ({ ...transcript, segments: "none" })),
      { validation },
    );
    expect(summary.missing).toMatchObject([{ what: "transcript", reason: "invalid" }]);
    expect(JSON.parse(text(store, pathWith(store, "mtg_00001/transcript.received.json"))).segments).toBe("none");
  });

  it("that is not an object is reported, and not saved", async () => {
    const { store, summary } = await exportEdited(
      editTranscript(() => "sorry"),
      { validation },
    );
    expect(summary.missing).toMatchObject([{ what: "transcript", reason: "failed" }]);
    expect([...store.keys()].filter((path) => path.includes("mtg_00001/transcript"))).toEqual([]);
  });
});

describe.each(MODES)("with validation %s, an invalid document", (validation) => {
  const editDocument =
    (edit: (document: Json) => unknown): Edit =>
    (path, body) =>
      path.endsWith("/documents/doc_1_0") ? edit(body) : body;

  it("is saved and reported if its content can be read", async () => {
    const { store, summary } = await exportEdited(
      editDocument((document) => ({ ...document, title: 5 })),
      { validation },
    );
    expect(summary.missing).toMatchObject([
      { meeting_id: "mtg_00001", what: "document doc_1_0 (markdown)", reason: "invalid" },
    ]);
    expect(text(store, pathWith(store, "Summary-doc_1_0.md"))).not.toBe("");
  });

  it.each([{ unexpected: true }, { format: null }, { format: 5, content: "x" }, {}])(
    "is saved unchanged and reported if it is %j",
    async (received) => {
      const { store, summary } = await exportEdited(
        editDocument(() => received),
        { validation },
      );
      expect(summary.missing).toMatchObject([{ what: "document doc_1_0 (markdown)", reason: "invalid" }]);
      expect(JSON.parse(text(store, pathWith(store, "Summary-doc_1_0.received.json")))).toEqual(received);
    },
  );

  it.each([[{ format: "html", content: "<p>" }], ["sorry"], [null]])(
    "is not saved if it is %j, which is not the requested document",
    async (received) => {
      const { store, summary } = await exportEdited(
        editDocument(() => received),
        { validation },
      );
      expect(summary.missing).toMatchObject([{ what: "document doc_1_0 (markdown)", reason: "failed" }]);
      expect([...store.keys()].filter((path) => path.includes("doc_1_0"))).toEqual([]);
    },
  );

  it("is saved unchanged and reported if its content cannot be read", async () => {
    const { store, summary } = await exportEdited(
      editDocument((document) => ({ ...document, content: [1, 2] })),
      { validation },
    );
    expect(summary.missing).toMatchObject([{ what: "document doc_1_0 (markdown)", reason: "invalid" }]);
    expect(JSON.parse(text(store, pathWith(store, "Summary-doc_1_0.received.json"))).content).toEqual([1, 2]);
  });
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
