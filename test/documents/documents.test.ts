import { InvalidArgumentError, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import type { DocumentContent } from "../../src/documents/content-as.js";
import { decodeDocx } from "../../src/documents/decode-docx.js";
import { parseBlocks } from "../../src/documents/parse-blocks.js";

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

describe("a Word document", () => {
  it("is decoded to the bytes that the base64 stands for", async () => {
    const document = await notetaker.documents.get("doc_1", { format: "docx" });
    const bytes = decodeDocx(document);
    expect(Buffer.from(bytes)).toEqual(Buffer.from(document.content, "base64"));
    // The emulator's archive is not compressed.
    expect(new TextDecoder().decode(bytes)).toContain('<w:t xml:space="preserve">Décisions</w:t>');
  });

  it("may be wrapped into lines, and needs no format beside it", () => {
    const content = btoa("PK\x03\x04\x00\xff").replace(/.{3}/g, "$&\r\n");
    expect(decodeDocx({ content })).toEqual(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 255));
  });

  it("is refused in another format, with what to ask for", async () => {
    const html = await notetaker.documents.get("doc_1");
    const { issues, outcome } = refusal(() => decodeDocx(html));
    expect(outcome).toBe("not_sent");
    expect(issues).toEqual([
      { path: "document.format", message: 'expected "docx": ask for it with documents.get(id, { format: "docx" })' },
    ]);
  });

  it.each([
    ["not base64", "<h1>No</h1>"],
    ["base64 of something else", btoa("<h1>No</h1>")],
    ["an empty archive", btoa("PK\x05\x06".padEnd(22, "\0"))],
    ["nothing", ""],
    ["null", null],
  ])("is refused when its content is %s", (_, content) => {
    const { issues } = refusal(() => decodeDocx({ format: "docx", content } as DocumentContent));
    expect(issues[0]).toMatchObject({ path: "document.content", message: expect.stringMatching(/^expected /) });
  });
});

describe("the blocks of a document", () => {
  it("are those that the service sends", async () => {
    expect(parseBlocks(await notetaker.documents.get("doc_1", { format: "json" }))).toEqual(blocks);
  });

  it.each([
    ["not JSON", "# Decisions"],
    ["an object", '{"blocks":[]}'],
    ["null", "null"],
    ["nothing", ""],
  ])("are refused when the content is %s", (_, content) => {
    expect(refusal(() => parseBlocks({ format: "json", content })).issues).toEqual([
      { path: "document.content", message: "expected a JSON array of content blocks" },
    ]);
  });

  it("are refused in another format, and where there is no document", () => {
    expect(refusal(() => parseBlocks({ format: "docx", content: "[]" })).issues[0]?.path).toBe("document.format");
    expect(refusal(() => parseBlocks(undefined as unknown as DocumentContent)).issues[0]?.path).toBe(
      "document.content",
    );
  });
});
