/**
 * Corrects typedoc's pages for names that differ only in case (`Transcript` and `notetaker-sdk/transcript`): typedoc
 * calls a page `transcript-1`, and links to `#transcript-1` although the section is `#transcript`.
 */
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The id of a section as on GitHub, so that a link to a section works on both sites. */
export const slug = (title: string) =>
  title
    .replaceAll("\\", "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

function sectionsOf(page: string): Set<string> {
  const sections = new Set<string>();
  for (const [, title = ""] of page.matchAll(/^#+ (.+)$/gm)) {
    const id = slug(title.trim());
    let number = 0;
    while (sections.has(number === 0 ? id : `${id}-${number}`)) number += 1;
    sections.add(number === 0 ? id : `${id}-${number}`);
  }
  return sections;
}

export function mendReference(folder: string): void {
  const renamed = new Map<string, string>();
  const list = () => readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  for (const path of list()) {
    const plain = path.replace(/-1\.md$/, ".md");
    if (plain === path || existsSync(join(folder, plain))) continue;
    renameSync(join(folder, path), join(folder, plain));
    renamed.set(`${path.split(/[\\/]/).at(-1)}`, `${plain.split(/[\\/]/).at(-1)}`);
  }
  const withNames = (page: string) =>
    [...renamed].reduce(
      (text, [from, to]) => text.replaceAll(`${from})`, `${to})`).replaceAll(`${from}#`, `${to}#`),
      page,
    );
  const pages = new Map(list().map((path) => [path, withNames(readFileSync(join(folder, path), "utf8"))]));
  const sections = new Map([...pages].map(([path, page]) => [path.split(/[\\/]/).at(-1), sectionsOf(page)]));
  for (const [path, page] of pages) {
    const own = path.split(/[\\/]/).at(-1);
    const mended = page.replace(/\(([^()\s#]*)#([\w-]+)-1\)/g, (link, address: string, section: string) => {
      const known = sections.get(address === "" ? own : address.split("/").at(-1));
      const isBroken = known !== undefined && !known.has(`${section}-1`) && known.has(section);
      return isBroken ? `(${address}#${section})` : link;
    });
    writeFileSync(join(folder, path), mended);
  }
}
