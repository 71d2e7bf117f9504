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

const HTML: Renderer = {
  heading: ({ level, text }) => element(`h${level}`, text),
  paragraph: ({ text }) => element("p", text),
  list: ({ items }) => `<ul>${items.map((item) => element("li", item)).join("")}</ul>`,
};

const MARKDOWN: Renderer = {
  heading: ({ level, text }) => `${"#".repeat(level)} ${text}`,
  paragraph: ({ text }) => text,
  list: ({ items }) => items.map((item) => `- ${item}`).join("\n"),
};

const PLAIN_TEXT: Renderer = {
  heading: ({ text }) => text,
  paragraph: ({ text }) => text,
  list: ({ items }) => items.join("\n"),
};
