/** The small parts of a page of the reference. */
import type { Comment, DeclarationReflection } from "typedoc";
import { signaturesOf } from "./links.js";

/** An example is a block of code, with or without fences. */
export const codeOf = (text: string) =>
  text.includes("```") ? text.replace(/^```typescript/gm, "```ts") : `\`\`\`ts\n${text.trim()}\n\`\`\``;

export const commentOf = (one: DeclarationReflection): Comment | undefined =>
  one.comment ?? signaturesOf(one).find(({ comment }) => comment)?.comment ?? one.getSignature?.comment;

export const fieldsOf = (one: DeclarationReflection | undefined): readonly DeclarationReflection[] => {
  if (one?.children !== undefined) return one.children;
  return one?.type?.type === "reflection" ? (one.type.declaration.children ?? []) : [];
};

export const firstSentence = (text: string) => /^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
export const heads = (level: number, text: string, anchor: string) => `${"#".repeat(level)} ${text} {#${anchor}}`;
export const signature = (code: string) => (code === "" ? "" : `\`\`\`ts signature\n${code}\n\`\`\``);
export const table = (head: readonly string[], rows: readonly string[]) =>
  [`| ${head.join(" | ")} |`, `|${"---|".repeat(head.length)}`, ...rows].join("\n");

const LINE_MAX = 76;

/** A signature that is too long for a line has a line for each parameter. */
export function wrapped(code: string): string {
  if (code.length <= LINE_MAX || code.includes("\n")) return code;
  let depth = 0;
  let wrappedCode = "";
  for (const [index, char] of [...code].entries()) {
    const isArrow = char === ">" && code[index - 1] === "=";
    if ("(<{[".includes(char)) depth += 1;
    const closes = ")>}]".includes(char) && !isArrow;
    if (char === "(" && depth === 1) wrappedCode += "(\n  ";
    else if (char === ")" && depth === 1) return `${wrappedCode},\n)${code.slice(index + 1)}`;
    else if (char === "," && depth === 1 && wrappedCode.includes("(\n")) wrappedCode += ",\n ";
    else wrappedCode += char;
    if (closes) depth -= 1;
  }
  return wrappedCode;
}
