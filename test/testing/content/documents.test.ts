/** Interface, "Document": the five formats. */
import { crc32 } from "node:zlib";
import { aDocument, createEmulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { clientOf } from "../emulator-client.js";

const blocks = [
  { type: "heading", level: 2, text: 'Q&A <"now">' },
  { type: "paragraph", text: "Grüße, 日本 🎙" },
  { type: "list", items: ["one", "two < three"] },
] as const;

const ask = clientOf(
  createEmulator({ seed: { documents: [aDocument({ id: "doc_1", blocks: structuredClone(blocks) as never })] } }),
);
const content = async (format: string) =>
  (await ask("GET", `/documents/doc_1?format=${format}`)).body.content as string;

describe("a document's content", () => {
  test("is HTML by default, with its text escaped", async () => {
    const html =
      "<h2>Q&amp;A &lt;&quot;now&quot;&gt;</h2>\n<p>Grüße, 日本 🎙</p>\n<ul><li>one</li><li>two &lt; three</li></ul>";
    expect((await ask("GET", "/documents/doc_1")).body).toMatchObject({ format: "html", content: html });
    expect(await content("html")).toBe(html);
  });

  test("is Markdown, plain text and JSON blocks on request", async () => {
    expect(await content("markdown")).toBe('## Q&A <"now">\n\nGrüße, 日本 🎙\n\n- one\n- two < three');
    expect(await content("raw")).toBe('Q&A <"now">\n\nGrüße, 日本 🎙\n\none\ntwo < three');
    expect(JSON.parse(await content("json"))).toEqual(blocks);
  });

  test("is a Word document in base64: a zip whose parts are whole", async () => {
    const bytes = Buffer.from(await content("docx"), "base64");
    const parts = storedFiles(bytes);
    expect([...parts.keys()]).toEqual(["[Content_Types].xml", "_rels/.rels", "word/document.xml"]);
    const document = parts.get("word/document.xml")!;
    expect(document).toContain("two &lt; three");
    expect(document).toContain("Grüße, 日本 🎙");
    expect(document.match(/<w:p>/g)).toHaveLength(4);
  });
});

/** The files of an archive that stores them uncompressed, found through its central directory. */
function storedFiles(zip: Buffer): Map<string, string> {
  const end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(0x06054b50);
  const files = new Map<string, string>();
  let entry = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    expect(zip.readUInt32LE(entry)).toBe(0x02014b50);
    const nameLength = zip.readUInt16LE(entry + 28);
    const local = zip.readUInt32LE(entry + 42);
    const size = zip.readUInt32LE(entry + 24);
    const start = local + 30 + nameLength;
    const content = zip.subarray(start, start + size);
    expect(zip.readUInt32LE(local)).toBe(0x04034b50);
    // Node 20 came to have crc32 in 20.15.
    if (typeof crc32 === "function") expect(crc32(content)).toBe(zip.readUInt32LE(entry + 16));
    files.set(zip.toString("utf8", entry + 46, entry + 46 + nameLength), content.toString("utf8"));
    entry += 46 + nameLength;
  }
  expect(entry).toBe(end);
  return files;
}
