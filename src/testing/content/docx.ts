/** Makes a Word document with real headings, lists and tables. It has only the parts that word processors need. */
import { strToU8, zipSync } from "fflate";
import type { Block } from "../state/records.js";

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml";

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="${WORD_TYPE}.document.main+xml"/>
<Override PartName="/word/styles.xml" ContentType="${WORD_TYPE}.styles+xml"/>
<Override PartName="/word/numbering.xml" ContentType="${WORD_TYPE}.numbering+xml"/>
</Types>`;

const PACKAGE_RELATIONSHIPS = `${XML}<Relationships xmlns="${PACKAGE}/relationships">
<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/>
</Relationships>`;

const DOCUMENT_RELATIONSHIPS = `${XML}<Relationships xmlns="${PACKAGE}/relationships">
<Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/>
<Relationship Id="rId2" Type="${OFFICE}/numbering" Target="numbering.xml"/>
</Relationships>`;

/** Font sizes are in half points. */
const headingStyle = (level: number) => `<w:style w:type="paragraph" w:styleId="Heading${level}">
<w:name w:val="heading ${level}"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/>
<w:pPr><w:keepNext/><w:outlineLvl w:val="${level - 1}"/></w:pPr><w:rPr><w:b/><w:sz w:val="${40 - 6 * level}"/></w:rPr>
</w:style>`;

const STYLES = `${XML}<w:styles ${WORD}>
<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
${[1, 2, 3].map(headingStyle).join("\n")}
<w:style w:type="paragraph" w:styleId="ListParagraph"><w:name w:val="List Paragraph"/><w:basedOn w:val="Normal"/></w:style>
</w:styles>`;

const abstractNumbering = (id: number, format: "bullet" | "decimal", text: string) =>
  `<w:abstractNum w:abstractNumId="${id}"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="${format}"/>` +
  `<w:lvlText w:val="${text}"/><w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl></w:abstractNum>`;

/** Each list has its own numbering, so that every ordered list starts at 1. The ids start at 1. */
const numberingInstance = (ordered: boolean, index: number) =>
  `<w:num w:numId="${index + 1}"><w:abstractNumId w:val="${ordered ? 1 : 0}"/>` +
  `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>`;

const numbering = (lists: readonly boolean[]) =>
  `${XML}<w:numbering ${WORD}>\n${abstractNumbering(0, "bullet", "•")}\n${abstractNumbering(1, "decimal", "%1.")}\n` +
  `${lists.map(numberingInstance).join("\n")}\n</w:numbering>`;

export type Renderer = { readonly [T in Block["type"]]: (block: Extract<Block, { type: T }>) => string };

export const render = (renderer: Renderer, blocks: readonly Block[]) =>
  blocks.map((block) => (renderer[block.type] as (block: Block) => string)(block));

export function docx(blocks: readonly Block[]): Uint8Array {
  const lists: boolean[] = [];
  const body = render(
    {
      heading: ({ level, text }) => paragraph(text, style(`Heading${level}`)),
      paragraph: ({ text }) => paragraph(text),
      list({ ordered = false, items }) {
        const number = lists.push(ordered);
        const properties = `${style("ListParagraph")}<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${number}"/></w:numPr>`;
        return items.map((item) => paragraph(item, properties)).join("");
      },
      table: ({ rows }) => table(rows),
    },
    blocks,
  );
  const parts = {
    "[Content_Types].xml": CONTENT_TYPES,
    "_rels/.rels": PACKAGE_RELATIONSHIPS,
    "word/document.xml": `${XML}<w:document ${WORD}><w:body>${body.join("")}</w:body></w:document>`,
    "word/styles.xml": STYLES,
    "word/numbering.xml": numbering(lists),
    "word/_rels/document.xml.rels": DOCUMENT_RELATIONSHIPS,
  };
  const files = Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]));
  // A zip contains local time. With this date, the file is the same in every time zone.
  return zipSync(files, { level: 0, mtime: new Date(1980, 0, 1) });
}

const style = (id: string) => `<w:pStyle w:val="${id}"/>`;

function paragraph(text: string, properties = ""): string {
  const runs = text
    .split(/\r?\n/)
    .map((line) => `<w:t xml:space="preserve">${escapeXml(line)}</w:t>`)
    .join("<w:br/>");
  return `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}<w:r>${runs}</w:r></w:p>`;
}

/** Word requires a paragraph after a table. */
function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(1, ...rows.map((cells) => cells.length));
  const row = (cells: readonly string[], index: number) => {
    const filled = Array.from({ length: columns }, (_, column) => cells[column] ?? "");
    const header = index === 0 ? "<w:trPr><w:tblHeader/></w:trPr>" : "";
    return `<w:tr>${header}${filled.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`;
  };
  const grid = '<w:gridCol w:w="2400"/>'.repeat(columns);
  return `<w:tbl><w:tblPr/><w:tblGrid>${grid}</w:tblGrid>${rows.map(row).join("")}</w:tbl>${paragraph("")}`;
}

/** Escapes text for XML and HTML. Characters that XML cannot contain are left out. */
export const escapeXml = (text: string) =>
  text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
