/** Interface, "Document": the five formats. */
import mammoth from "mammoth";
import { aDocument, type Block, createEmulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { clientOf } from "../emulator-client.js";

const blocks: Block[] = [
  { type: "heading", level: 2, text: 'Q&A <"now">' },
  { type: "paragraph", text: "Grüße, 日本 🎙" },
  { type: "list", items: ["one", "two < three"] },
  { type: "list", items: ["first"], ordered: true },
  {
    type: "table",
    rows: [
      ["Who", "What"],
      ["Ada", "a | b\nc"],
    ],
  },
];

const ask = clientOf(createEmulator({ seed: { meetings: [{ documents: [aDocument({ id: "doc_1", blocks })] }] } }));
const content = async (format: string) =>
  (await ask("GET", `/documents/doc_1?format=${format}`)).body.content as string;

describe("the emulator's content of a document", () => {
  test("is escaped HTML by default", async () => {
    const html = [
      "<h2>Q&amp;A &lt;&quot;now&quot;&gt;</h2>",
      "<p>Grüße, 日本 🎙</p>",
      "<ul><li>one</li><li>two &lt; three</li></ul>",
      "<ol><li>first</li></ol>",
      "<table><thead><tr><th>Who</th><th>What</th></tr></thead><tbody><tr><td>Ada</td><td>a | b\nc</td></tr></tbody></table>",
    ].join("\n");
    expect((await ask("GET", "/documents/doc_1")).body).toMatchObject({ format: "html", content: html });
    expect(await content("html")).toBe(html);
  });

  test("is Markdown, plain text or JSON blocks on request", async () => {
    expect(await content("markdown")).toBe(
      '## Q&A <"now">\n\nGrüße, 日本 🎙\n\n- one\n- two < three\n\n1. first\n\n' +
        "| Who | What |\n| --- | --- |\n| Ada | a \\| b<br>c |",
    );
    expect(await content("raw")).toBe(
      'Q&A <"now">\n\nGrüße, 日本 🎙\n\none\ntwo < three\n\nfirst\n\nWho\tWhat\nAda\ta | b\nc',
    );
    expect(JSON.parse(await content("json"))).toEqual(blocks);
  });

  test("is always the same Word document in base64", async () => {
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(await content("docx"), "base64") });
    expect(value).toBe("<p>The emulator sends this document for every document in the format docx.</p>");
  });
});
