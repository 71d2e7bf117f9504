/** A Word document of the smallest kind that word processors open: three parts in an uncompressed zip archive. */
import type { Block } from "../state/records.js";

const encoder = new TextEncoder();

const CONTENT_TYPES = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;

const RELATIONSHIPS = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`;

/** The blocks as the bytes of a `.docx` file. */
export function docx(blocks: readonly Block[]): Uint8Array<ArrayBuffer> {
  const body = blocks.flatMap(paragraphs).join("");
  const document = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return zip([
    ["[Content_Types].xml", CONTENT_TYPES],
    ["_rels/.rels", RELATIONSHIPS],
    ["word/document.xml", document],
  ]);
}

function paragraphs(block: Block): string[] {
  switch (block.type) {
    case "heading":
      return [paragraph(block.text, `<w:b/><w:sz w:val="${40 - 6 * block.level}"/>`)];
    case "paragraph":
      return [paragraph(block.text)];
    case "list":
      return block.items.map((item) => paragraph(`• ${item}`));
  }
}

const paragraph = (text: string, look = "") =>
  `<w:p><w:r>${look === "" ? "" : `<w:rPr>${look}</w:rPr>`}<w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;

/** For XML and HTML; what XML cannot carry at all is left out. */
export const escaped = (text: string) =>
  text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** A zip archive whose entries are stored as they are. */
function zip(files: readonly (readonly [name: string, content: string])[]): Uint8Array<ArrayBuffer> {
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const nameBytes = encoder.encode(name);
    const bytes = encoder.encode(content);
    // Version 2.0, names in UTF-8, stored, 1 January 1980.
    const shared = [
      u16(20),
      u16(0x0800),
      u16(0),
      u16(0),
      u16(0x21),
      u32(crc32(bytes)),
      u32(bytes.length),
      u32(bytes.length),
    ];
    const lengths = [u16(nameBytes.length), u16(0)];
    const header = joined([u32(0x04034b50), ...shared, ...lengths, nameBytes, bytes]);
    local.push(header);
    central.push(
      joined([u32(0x02014b50), u16(20), ...shared, ...lengths, u16(0), u16(0), u16(0), u32(0), u32(offset), nameBytes]),
    );
    offset += header.length;
  }
  const directory = joined(central);
  const count = u16(files.length);
  const end = [u32(0x06054b50), u16(0), u16(0), count, count, u32(directory.length), u32(offset), u16(0)];
  return joined([...local, directory, ...end]);
}

const u16 = (value: number) => Uint8Array.of(value & 0xff, (value >>> 8) & 0xff);
const u32 = (value: number) =>
  Uint8Array.of(value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, (value >>> 24) & 0xff);

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
