/** Links to names, and texts of doc comments as Markdown. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommentDisplayPart, DeclarationReflection, SignatureReflection } from "typedoc";
import { root } from "../../../scripts/api/public-surface.js";
import type { PageOfReference } from "./model.js";

/** By the name, for example `Room` or `Meetings.sendBot`, the page and the section of its documentation. */
export type Places = ReadonlyMap<string, string>;

export const anchorOf = (...names: readonly string[]) =>
  names
    .join("-")
    .toLowerCase()
    .replace(/[^\w-]/g, "");

/** The resource that a page is about has its methods as sections: `meetings.html#sendbot`. */
export const resourceOf = ({ page, names }: PageOfReference) =>
  names.find(({ name, signatures }) => name.toLowerCase() === page && !name.endsWith("Schema") && !signatures);

/** Users write objects of such a type, so their functions are fields, for example `onProgress`. */
export const isInput = ({ name }: DeclarationReflection) =>
  /(Params|Options|Input|Init|Source|Seed|Times|Formats|Fields)$/.test(name);

/** The signatures of a method, or of a property whose type is a function, such as `receiver.handle`. */
export const signaturesOf = ({ signatures, type }: DeclarationReflection): readonly SignatureReflection[] =>
  signatures ?? (type?.type === "reflection" ? type.declaration.signatures : undefined) ?? [];

/** What users call on an object: each gets a section. Those with a symbol, which have no name of their own, are last. */
export function methodsOf(owner: DeclarationReflection): DeclarationReflection[] {
  const methods = (owner.children ?? []).filter((one) =>
    isInput(owner) ? one.signatures : !one.flags.isOptional && signaturesOf(one).length > 0,
  );
  const hasSymbol = ({ name }: DeclarationReflection) => name.startsWith("[");
  return [...methods.filter((one) => !hasSymbol(one)), ...methods.filter(hasSymbol)];
}

export function placesOf(pages: readonly PageOfReference[]): Places {
  const places = new Map<string, string>();
  for (const one of pages) {
    const anchors = new Set<string>();
    const put = (name: string, anchor: string) => {
      const unique = anchors.has(anchor) ? `${anchor}-type` : anchor;
      anchors.add(unique);
      places.set(name, `${one.page}.html#${unique}`);
    };
    const resource = resourceOf(one)?.name;
    for (const owner of one.names.filter((name) => !name.isReference())) {
      const { name } = owner;
      if (name === resource) places.set(name, `${one.page}.html`);
      else put(name, anchorOf(name));
      for (const member of methodsOf(owner)) {
        put(`${name}.${member.name}`, name === resource ? anchorOf(member.name) : anchorOf(name, member.name));
      }
    }
  }
  return places;
}

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("{", "&#123;");

/** A type as code, in one line, with links; it may stand in a table. */
export function typeCode(type: string, places: Places): string {
  const line = type.replace(/\s+/g, " ").replace(/^\| /, "");
  const linked = line
    .split(/(\b[A-Za-z_$][\w$]*\b)/)
    .map((part) => {
      const place = /^[A-Z]/.test(part) ? places.get(part) : undefined;
      return place === undefined ? escapeHtml(part) : `<a href="${place}">${part}</a>`;
    })
    .join("");
  return `<code>${linked.replaceAll("|", "&#124;").replaceAll("_", "&#95;").replaceAll("*", "&#42;").replaceAll("`", "&#96;").replaceAll("[", "&#91;")}</code>`;
}

const titleOf = (guide: string) => /^# (.+)$/m.exec(readFileSync(join(root, guide), "utf8"))?.[1] ?? guide;

/** A text that names a guide (`docs/errors.md`) links to it. */
const withGuides = (text: string) =>
  text.replace(
    /(?<![\w(/])docs\/[\w/-]+\.md(#[\w-]+)?/g,
    (link) => `[${titleOf(link.replace(/#.*/, ""))}](../${link})`,
  );

export function markdownOf(parts: readonly CommentDisplayPart[] | undefined, places: Places): string {
  const text = (parts ?? []).map((part) => {
    if (part.kind !== "inline-tag") return part.text;
    const [target = "", ...label] = part.text.split("|");
    const name = target.trim();
    const place = places.get(name);
    const shown = label.join("|").trim() || name;
    return place === undefined ? `\`${shown}\`` : `[\`${shown}\`](${place})`;
  });
  return withGuides(text.join(""));
}

/** In one line, for a table. */
export const cell = (text: string) =>
  text
    .trim()
    .replace(/(?:^- .*\n?(?:^ +.*\n?)*)+/gm, (list) => {
      const items = list.split(/^- /m).slice(1);
      return `<ul>${items.map((item) => `<li>${item.trim()}</li>`).join("")}</ul>`;
    })
    .replace(/\n\n/g, "<br>")
    .replace(/\s+/g, " ")
    .replace(/(?<!\\)\|/g, "\\|");
