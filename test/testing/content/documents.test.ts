/** Interface, "Document": the five formats. */
import mammoth from "mammoth";
import { aDocument, type Block } from "notetaker-sdk/testing";
import { expect, test } from "vitest";
import { emulatorClient } from "../emulator-client.js";

const blocks: Block[] = [
  { type: "heading", level: 2, text: 'Q&A <"now">' },
  { type: "paragraph", text: "Grüße, 日本 🎙" },
  { type: "list", items: ["one", "two < three"] },
];
const HTML = `<h2>Q&amp;A &lt;&quot;now&quot;&gt;</h2>
<p>Grüße, 日本 🎙</p>
<ul><li>one</li><li>two &lt; three</li></ul>`;
const { read } = emulatorClient({ seed: { meetings: [{ documents: [aDocument({ id: "doc_1", blocks })] }] } });

test.each([
  ["", "html", HTML],
  ["?format=html", "html", HTML],
  ["?format=markdown", "markdown", '## Q&A <"now">\n\nGrüße, 日本 🎙\n\n- one\n- two < three'],
  ["?format=raw", "raw", 'Q&A <"now">\n\nGrüße, 日本 🎙\n\none\ntwo < three'],
  ["?format=json", "json", JSON.stringify(blocks)],
])("the emulator's content of a document: %s", async (query, format, content) => {
  expect(await read(`/documents/doc_1${query}`)).toMatchObject({ format, content });
});

test("the emulator's content of a document is always the same Word document in base64", async () => {
  const { content } = await read("/documents/doc_1?format=docx");
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(content, "base64") });
  expect(value).toBe("<p>The emulator sends this document for every document in the format docx.</p>");
});
