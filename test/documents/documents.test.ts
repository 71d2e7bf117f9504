import fc from "fast-check";
import { InvalidArgumentError, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import type { DocumentContent } from "../../src/documents/content-as.js";
import { decodeDocx } from "../../src/documents/decode-docx.js";
import { parseBlocks } from "../../src/documents/parse-blocks.js";
import { cpuTimeOf } from "../support/cpu-time.js";
import { runs } from "../support/property-seed.js";

const blocks = [
  { type: "heading", level: 1, text: "Décisions" },
  { type: "list", items: ["Ship it.", "Tell everyone."] },
] as const;
const service = createEmulator({
  seed: { documents: [{ id: "doc_1", title: "Decisions", blocks: structuredClone(blocks) as never }] },
});
const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });

const refusal = (call: () => unknown): InvalidArgumentError => {
  try {
    call();
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error;
    throw error;
  }
  throw new Error("expected a refusal");
};

describe("decodeDocx()", () => {
  it("returns the bytes that the base64 encodes", async () => {
    const document = await notetaker.documents.get("doc_1", { format: "docx" });
    const bytes = decodeDocx(document);
    expect(Buffer.from(bytes)).toEqual(Buffer.from(document.content, "base64"));
    // The archive of the emulator is not compressed.
    expect(new TextDecoder().decode(bytes)).toContain('<w:t xml:space="preserve">Décisions</w:t>');
  });

  it("accepts base64 with line breaks, and a document without a format", () => {
    const content = btoa("PK\x03\x04\x00\xff").replace(/.{3}/g, "$&\r\n");
    expect(decodeDocx({ content })).toEqual(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 255));
  });

  it("rejects another format and says which format to request", async () => {
    const html = await notetaker.documents.get("doc_1");
    const { issues, outcome } = refusal(() => decodeDocx(html));
    expect(outcome).toBe("not_sent");
    expect(issues).toEqual([
      {
        path: "document.format",
        message: 'expected "docx", received "html": request documents.get(id, { format: "docx" })',
      },
    ]);
  });

  it("accepts a data URL", () => {
    const content = `data:application/vnd.openxmlformats-officedocument.wordprocessingml.document;base64,${btoa("PK\x03\x04")}`;
    expect(decodeDocx({ content })).toEqual(Uint8Array.of(0x50, 0x4b, 3, 4));
  });

  it("accepts and rejects the same texts as atob", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."ABz/+09= \n-é") }), (tail) => {
        const content = `UEsDBA${tail}`;
        let expected: Uint8Array | undefined;
        try {
          expected = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
        } catch {
          expected = undefined;
        }
        if (expected) expect(decodeDocx({ content })).toEqual(expected);
        else expect(() => decodeDocx({ content })).toThrow(InvalidArgumentError);
      }),
      { numRuns: runs(500) },
    );
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
  ])("rejects a content that is %s", (_, content) => {
    const { issues } = refusal(() => decodeDocx({ format: "docx", content } as DocumentContent));
    expect(issues[0]).toMatchObject({ path: "document.content", message: expect.stringMatching(/^expected /) });
  });
});

describe("the error for a content that cannot be read", () => {
  it.each<[string, () => unknown, string]>([
    [
      "decodeDocx and a content that is not a string",
      () => decodeDocx({ content: null as never }),
      "decodeDocx: document.content: expected a string",
    ],
    [
      "parseBlocks and a content that is not a string",
      () => parseBlocks({ content: null as never }),
      "parseBlocks: document.content: expected a string",
    ],
    [
      "decodeDocx and a content that is not an archive",
      () => decodeDocx({ content: btoa("text") }),
      "decodeDocx: document.content: expected base64 of a Word document (a zip archive)",
    ],
    [
      "parseBlocks and a content that is not an array",
      () => parseBlocks({ content: "{}" }),
      "parseBlocks: document.content: expected a JSON array of content blocks",
    ],
    [
      "decodeDocx and a document of another format",
      () => decodeDocx({ format: "json", content: "[]" }),
      'decodeDocx: document.format: expected "docx", received "json": request documents.get(id, { format: "docx" })',
    ],
  ])("names the function that reads the content: %s", (_, call, message) => {
    expect(refusal(call).message).toBe(message);
  });
});

describe("decodeDocx, with base64 in unusual forms,", () => {
  const ARCHIVE = Uint8Array.of(0x50, 0x4b, 3, 4);

  it.each<[string, number[]]>([
    ["UEsDBA", []],
    ["UEsDBA==", []],
    ["UEsDBA= =\n", []],
    [" UEs\tDBA ==\r\n", []],
    ["UEsDBAE=", [1]],
    ["UEsDBAEC", [1, 2]],
    ["  data:;base64,UEsDBAE=", [1]],
    ["DATA:application/x;a=b;BASE64,UEsDBAE", [1]],
  ])("accepts %j", (content, rest) => {
    expect([...decodeDocx({ content })]).toEqual([...ARCHIVE, ...rest]);
  });

  it.each([
    ...["UEsDBA=", "UEsDBA===", "UEsDBAE==", "UEsDBAEC=", "UEsDBAEC====", "UEsDBAECA", "UEsDBA=A", "=UEsDBA="],
    ...[
      "UEsDBA data:;base64,",
      "data:a,b;base64,UEsDBA",
      `data:${"x".repeat(1_025)};base64,UEsDBA`,
      "UEsDBA\v",
      "UEsDé",
    ],
  ])("rejects %j", (content) => {
    expect(() => decodeDocx({ content })).toThrow(InvalidArgumentError);
  });
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
  ])("rejects a content that is %s", (_, content) => {
    expect(refusal(() => parseBlocks({ format: "json", content })).issues).toEqual([
      { path: "document.content", message: "expected a JSON array of content blocks" },
    ]);
  });

  it("rejects another format and a missing document", () => {
    expect(refusal(() => parseBlocks({ format: "docx", content: "[]" })).issues[0]?.path).toBe("document.format");
    expect(refusal(() => parseBlocks(undefined as unknown as DocumentContent)).issues[0]?.path).toBe(
      "document.content",
    );
  });
});
