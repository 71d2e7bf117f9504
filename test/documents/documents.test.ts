import { InvalidArgumentError, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import type { DocumentContent } from "../../src/documents/content.js";
import { decodeDocx, parseBlocks } from "../../src/documents/content.js";
import { cpuTimeOf } from "../support/cpu-time.js";
import { rejectionOf } from "../support/recorder.js";

const blocks = [
  { type: "heading", level: 1, text: "Décisions" },
  { type: "list", items: ["Ship it.", "Tell everyone."] },
] as const;
const service = createEmulator({
  seed: { meetings: [{ documents: [{ id: "doc_1", title: "Decisions", blocks: structuredClone(blocks) as never }] }] },
});
const notetaker = new Notetaker(service.clientOptions);

const refusal = (call: () => unknown) => rejectionOf(InvalidArgumentError, Promise.resolve().then(call));

describe("decodeDocx()", () => {
  it("returns the bytes that the base64 encodes", async () => {
    const document = await notetaker.documents.get("doc_1", { format: "docx" });
    const bytes = decodeDocx(document);
    expect(Buffer.from(bytes)).toEqual(Buffer.from(document.content, "base64"));
    expect(new TextDecoder().decode(bytes.subarray(0, 2))).toBe("PK");
  });

  it("accepts base64 with line breaks, and a document without a format", () => {
    const content = btoa("PK\x03\x04\x00\xff").replace(/.{3}/g, "$&\r\n");
    expect(decodeDocx({ content })).toEqual(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 255));
  });

  it("rejects another format and says which format to request", async () => {
    const html = await notetaker.documents.get("doc_1");
    const { issues, outcome } = await refusal(() => decodeDocx(html));
    expect(outcome).toBe("not_sent");
    expect(issues).toMatchObject([
      {
        path: "document.format",
        message: 'expected "docx", received "html": request documents.get(id, { format: "docx" })',
      },
    ]);
  });

  it("reads 8 MB in a time that grows only with the length", async () => {
    const content = `UEsDBA${"A".repeat(8_000_000 - 6)}`;
    expect(await cpuTimeOf(() => expect(decodeDocx({ content })).toHaveLength(6_000_000))).toBeLessThan(2_000);
  });

  it.each([
    ["not base64", "<h1>No</h1>"],
    ["base64 of something else", btoa("<h1>No</h1>")],
    ["an empty archive", btoa("PK\x05\x06".padEnd(22, "\0"))],
    ["empty", ""],
    ["null", null],
  ])("rejects a content that is %s", async (_, content) => {
    const { issues } = await refusal(() => decodeDocx({ format: "docx", content } as DocumentContent));
    expect(issues[0]).toMatchObject({ path: "document.content", message: expect.stringMatching(/^expected /) });
  });
});

it("decodeDocx accepts base64 with and without padding, and in a data URL", () => {
  const forms = [
    "UEsDBAE=",
    "UEsDBAE",
    " UEs\tDBAE =\r\n",
    "  data:;base64,UEsDBAE=",
    "DATA:application/x;a=b;BASE64,UEsDBAE",
  ];
  for (const content of forms) expect([...decodeDocx({ content })], content).toEqual([0x50, 0x4b, 3, 4, 1]);
  for (const content of ["UEsDBA=A", "UEsDBA data:;base64,", `data:${"x".repeat(1_025)};base64,UEsDBA`, "UEsDé"]) {
    expect(() => decodeDocx({ content }), content).toThrow(InvalidArgumentError);
  }
});

describe("parseBlocks()", () => {
  it("returns the blocks that the service sends", async () => {
    expect(parseBlocks(await notetaker.documents.get("doc_1", { format: "json" }))).toEqual(blocks);
  });

  it.each([
    ["not JSON", "# Decisions"],
    ["an object", '{"blocks":[]}'],
    ["null", "null"],
    ["empty", ""],
  ])("rejects a content that is %s", async (_, content) => {
    expect((await refusal(() => parseBlocks({ format: "json", content }))).issues).toMatchObject([
      { path: "document.content", message: "expected a JSON array of content blocks" },
    ]);
  });

  it.each([
    [{ format: "docx", content: "[]" }, "document.format"],
    [undefined, "document.content"],
  ])("rejects another format and a missing document: %j", async (document, path) => {
    expect((await refusal(() => parseBlocks(document as DocumentContent))).issues).toMatchObject([{ path }]);
  });
});
