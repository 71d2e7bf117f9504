/** Text of documents: of unknown blocks, and escaped for XML. */
import { isRecord } from "../../json/is-record.js";

/** The strings in the JSON of a block of an unknown kind, without those in `type` and `id`. At most 1,000. */
export function blockTexts(block: unknown): string[] {
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
  return texts;
}

/** Escapes text for XML and HTML. Characters that XML cannot contain are left out. */
export const escapeXml = (text: string) =>
  text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
