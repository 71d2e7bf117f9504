/** Renders the content of a document in the five formats of the API specification ("Document"). */
import { isRecord } from "../../json/is-record.js";
import type { DocumentFormat } from "../../schemas/document.js";
import type { Block } from "../state/records.js";
import { docx, escapeXml, type KnownBlock } from "./docx.js";

/** The content of a document in `format`. */
export function renderDocument(format: DocumentFormat, blocks: readonly Block[]): string {
  const known = blocks.flatMap((block) => (block.type === "other" ? paragraphsIn(block.json) : [block]));
  switch (format) {
    case "html":
      return known.map(toHtml).join("\n");
    case "markdown":
      return known.map(toMarkdown).join("\n\n");
    case "raw":
      return known.map(toPlainText).join("\n\n");
    case "docx":
      return toBase64(docx(known));
    case "json":
      return JSON.stringify(blocks.map((block) => (block.type === "other" ? block.json : block)));
  }
}

/** The strings in the JSON of a block of another kind, as paragraphs, without those in `type` and `id`. At most 1,000. */
function paragraphsIn(block: unknown): KnownBlock[] {
  const texts: string[] = [];
  const waiting: unknown[] = [block];
  while (waiting.length > 0 && texts.length < 1_000) {
    const value = waiting.pop();
    if (typeof value === "string") texts.push(value);
    else if (Array.isArray(value)) waiting.push(...value.slice(0, 1_000).reverse());
    else if (isRecord(value)) {
      const fields = Object.entries(value).filter(([name]) => name !== "type" && name !== "id");
      waiting.push(...fields.map(([, field]) => field).reverse());
    }
  }
  return texts.map((text) => ({ type: "paragraph", text }));
}

function toHtml(block: KnownBlock): string {
  switch (block.type) {
    case "heading":
      return `<h${block.level}>${escapeXml(block.text)}</h${block.level}>`;
    case "paragraph":
      return `<p>${escapeXml(block.text)}</p>`;
    case "list": {
      const tag = block.ordered ? "ol" : "ul";
      return `<${tag}>${block.items.map((item) => `<li>${escapeXml(item)}</li>`).join("")}</${tag}>`;
    }
    case "table": {
      const row = (cells: readonly string[], tag: "th" | "td") =>
        `<tr>${cells.map((cell) => `<${tag}>${escapeXml(cell)}</${tag}>`).join("")}</tr>`;
      const [header = [], ...rows] = block.rows;
      return `<table><thead>${row(header, "th")}</thead><tbody>${rows.map((cells) => row(cells, "td")).join("")}</tbody></table>`;
    }
  }
}

function toMarkdown(block: KnownBlock): string {
  switch (block.type) {
    case "heading":
      return `${"#".repeat(block.level)} ${block.text}`;
    case "paragraph":
      return block.text;
    case "list":
      return block.items.map((item, index) => `${block.ordered ? `${index + 1}.` : "-"} ${item}`).join("\n");
    case "table": {
      const row = (cells: readonly string[]) =>
        `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replace(/\r?\n/g, "<br>")).join(" | ")} |`;
      const [header = [], ...rows] = block.rows;
      return [row(header), row(header.map(() => "---")), ...rows.map(row)].join("\n");
    }
  }
}

function toPlainText(block: KnownBlock): string {
  switch (block.type) {
    case "heading":
    case "paragraph":
      return block.text;
    case "list":
      return block.items.join("\n");
    case "table":
      return block.rows.map((cells) => cells.join("\t")).join("\n");
  }
}

const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
