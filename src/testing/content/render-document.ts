/** Renders the content of a document in the five formats of the API specification ("Document"). */
import type { DocumentFormat } from "../../schemas/document.js";
import type { Block } from "../state/records.js";
import { WORD_DOCUMENT } from "./word-document.js";

type Renderer = { readonly [T in Block["type"]]: (block: Extract<Block, { type: T }>) => string };

const render = (renderer: Renderer, blocks: readonly Block[]) =>
  blocks.map((block) => (renderer[block.type] as (block: Block) => string)(block));

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export function renderDocument(format: DocumentFormat, blocks: readonly Block[]): string {
  switch (format) {
    case "html":
      return render(HTML, blocks).join("\n");
    case "markdown":
      return render(MARKDOWN, blocks).join("\n\n");
    case "raw":
      return render(PLAIN_TEXT, blocks).join("\n\n");
    case "docx":
      return WORD_DOCUMENT;
    case "json":
      return JSON.stringify(blocks);
  }
}

const element = (tag: string, text: string) => `<${tag}>${escapeHtml(text)}</${tag}>`;
const elements = (tag: string, texts: readonly string[]) => texts.map((text) => element(tag, text)).join("");

const HTML: Renderer = {
  heading: ({ level, text }) => element(`h${level}`, text),
  paragraph: ({ text }) => element("p", text),
  list: ({ ordered, items }) => `<${ordered ? "ol" : "ul"}>${elements("li", items)}</${ordered ? "ol" : "ul"}>`,
  table({ rows: [header = [], ...rows] }) {
    const body = rows.map((cells) => `<tr>${elements("td", cells)}</tr>`).join("");
    return `<table><thead><tr>${elements("th", header)}</tr></thead><tbody>${body}</tbody></table>`;
  },
};

const MARKDOWN: Renderer = {
  heading: ({ level, text }) => `${"#".repeat(level)} ${text}`,
  paragraph: ({ text }) => text,
  list: ({ ordered, items }) => items.map((item, index) => `${ordered ? `${index + 1}.` : "-"} ${item}`).join("\n"),
  table({ rows: [header = [], ...rows] }) {
    const row = (cells: readonly string[]) =>
      `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replace(/\r?\n/g, "<br>")).join(" | ")} |`;
    return [row(header), row(header.map(() => "---")), ...rows.map(row)].join("\n");
  },
};

const PLAIN_TEXT: Renderer = {
  heading: ({ text }) => text,
  paragraph: ({ text }) => text,
  list: ({ items }) => items.join("\n"),
  table: ({ rows }) => rows.map((cells) => cells.join("\t")).join("\n"),
};
