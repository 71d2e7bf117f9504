/** Interface, "Document": the five formats of its content. */
import type { DocumentFormat } from "../../schemas/document.js";
import type { Block } from "../state/records.js";
import { docx, escaped } from "./docx.js";

/** The blocks in the format that was asked for. */
export function renderDocument(format: DocumentFormat, blocks: readonly Block[]): string {
  switch (format) {
    case "html":
      return blocks.map(html).join("\n");
    case "markdown":
      return blocks.map(markdown).join("\n\n");
    case "raw":
      return blocks.map((block) => (block.type === "list" ? block.items.join("\n") : block.text)).join("\n\n");
    case "docx":
      return base64(docx(blocks));
    case "json":
      return JSON.stringify(blocks);
  }
}

function html(block: Block): string {
  switch (block.type) {
    case "heading":
      return `<h${block.level}>${escaped(block.text)}</h${block.level}>`;
    case "paragraph":
      return `<p>${escaped(block.text)}</p>`;
    case "list":
      return `<ul>${block.items.map((item) => `<li>${escaped(item)}</li>`).join("")}</ul>`;
  }
}

function markdown(block: Block): string {
  switch (block.type) {
    case "heading":
      return `${"#".repeat(block.level)} ${block.text}`;
    case "paragraph":
      return block.text;
    case "list":
      return block.items.map((item) => `- ${item}`).join("\n");
  }
}

const base64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
