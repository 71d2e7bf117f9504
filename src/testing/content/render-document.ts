/** Renders the content of a document in the five formats of the API specification ("Document"). */
import type { DocumentFormat } from "../../schemas/document.js";
import type { Block } from "../state/records.js";

type BlockRenderer = { readonly [T in Block["type"]]: (block: Extract<Block, { type: T }>) => string };

const render = (renderer: BlockRenderer, blocks: readonly Block[]) =>
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

const HTML: BlockRenderer = {
  heading: ({ level, text }) => element(`h${level}`, text),
  paragraph: ({ text }) => element("p", text),
  list: ({ items }) => `<ul>${items.map((item) => element("li", item)).join("")}</ul>`,
};

const MARKDOWN: BlockRenderer = {
  heading: ({ level, text }) => `${"#".repeat(level)} ${text}`,
  paragraph: ({ text }) => text,
  list: ({ items }) => items.map((item) => `- ${item}`).join("\n"),
};

const PLAIN_TEXT: BlockRenderer = {
  heading: ({ text }) => text,
  paragraph: ({ text }) => text,
  list: ({ items }) => items.join("\n"),
};

/** A Word document in base64, the same for each document in the format `docx`: a client passes it on unread. */
const WORD_DOCUMENT = [
  "UEsDBBQAAAAIAAAAIQD6PmccyAAAAFUBAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbJWQwU7DMAyGXyXyFTXpOCCE2u6wwRNsDxClbhuROFGcjfH2cz",
  "fggLhwtL/f/qS/215iUGcs7BP1sNEtKCSXRk9zD8fDW/MM26E7fGZkJVHiHpZa84sx7BaMlnXKSEKmVKKtMpbZZOve7YzmsW2fjEtUkWpT1x8wdHuc",
  "7ClU9XqR9V1bMDCo3T24unqwOQfvbBVuzjT+sjRfBi2XtwwvPvODBMD8aVjJvwRpmrzDMblTlBP9kcqYS3LILM3EoH9ItJ6+xebW03AFUEsDBBQAAA",
  "AIAAAAIQCpDM87oQAAABYBAAALAAAAX3JlbHMvLnJlbHONzzsOwjAMBuCrRN6pWwaEUNMuCIkVlQNEiZtGNA8l4XV7MjBQxMBo+/dnue0fdmY3isl4",
  "x6GpamDkpFfGaQ7n4bDaQt+1J5pFLok0mZBYWXGJw5Rz2CEmOZEVqfKBXJmMPlqRSxk1BiEvQhOu63qD8dOApcmOikNsgA3PQP/IfhyNpL2XV0su/z",
  "jwlSiyiJoyh7uPCtW7XRUWsGtx8WD3AlBLAwQUAAAACAAAACEADkTRG64AAAD/AAAAEQAAAHdvcmQvZG9jdW1lbnQueG1sRY9LDsIwDESvYmVPU1gg",
  "VPWz4wTlAKUxbaTGjuKUltuTgASbZ3lszdh1t7sFnhjEMjXqWJQKkEY2lqZG3frr4aK6tt4qw+PqkCKkfZJqa9Qco6+0lnFGN0jBHinNHhzcEFMbJr",
  "1xMD7wiCLJzi36VJZn7QZLKlve2bxy9RkhI7b9jIBuXYbIAQTJCMTZCvzikz9guvf1lyylHYRvcpb3otbZLDN86D/8Bur/M+0bUEsBAhQAFAAAAAgA",
  "AAAhAPo+ZxzIAAAAVQEAABMAAAAAAAAAAAAAAIABAAAAAFtDb250ZW50X1R5cGVzXS54bWxQSwECFAAUAAAACAAAACEAqQzPO6EAAAAWAQAACwAAAA",
  "AAAAAAAAAAgAH5AAAAX3JlbHMvLnJlbHNQSwECFAAUAAAACAAAACEADkTRG64AAAD/AAAAEQAAAAAAAAAAAAAAgAHDAQAAd29yZC9kb2N1bWVudC54",
  "bWxQSwUGAAAAAAMAAwC5AAAAoAIAAAAA",
].join("");
