/** Renders the content of a document in the five formats of the API specification ("Document"). */
import type { DocumentFormat } from "../../schemas/document.js";
import type { Block } from "../state/records.js";
import { blockTexts, escapeXml } from "./block-text.js";
import { docx } from "./docx.js";

/** The content of a document in `format`. */
export function renderDocument(format: DocumentFormat, blocks: readonly Block[]): string {
  switch (format) {
    case "html":
      return blocks.map(toHtml).join("\n");
    case "markdown":
      return blocks.map(toMarkdown).join("\n\n");
    case "raw":
      return blocks.map(toPlainText).join("\n\n");
    case "docx":
      return toBase64(docx(blocks));
    case "json":
      return JSON.stringify(blocks.map((block) => (block.type === "other" ? block.json : block)));
  }
}

function toHtml(block: Block): string {
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
    case "other":
      return blockTexts(block.json)
        .map((text) => `<p>${escapeXml(text)}</p>`)
        .join("\n");
  }
}

function toMarkdown(block: Block): string {
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
    case "other":
      return blockTexts(block.json).join("\n\n");
  }
}

function toPlainText(block: Block): string {
  switch (block.type) {
    case "heading":
    case "paragraph":
      return block.text;
    case "list":
      return block.items.join("\n");
    case "table":
      return block.rows.map((cells) => cells.join("\t")).join("\n");
    case "other":
      return blockTexts(block.json).join("\n");
  }
}

const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
