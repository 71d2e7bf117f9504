/**
 * Checks every link within the built site: its page or file has to exist, with an element that has the id of its
 * anchor.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix, relative } from "node:path";

const decoded = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
const attribute = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value = ""]) => decoded(value));

/** The file that any static host serves for a path of the site: a link ends in a file, or in the slash of a folder. */
function fileOf(folder: string, path: string): string | undefined {
  const file = join(folder, path === "" || path.endsWith("/") ? posix.join(path, "index.html") : path);
  return existsSync(file) && statSync(file).isFile() ? file : undefined;
}

/** The dead links, each with the page that it is on. */
export function checkLinks(folder: string, base: string): string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"));
  const ids = new Map<string, Set<string>>();
  const idsOf = (file: string) => {
    const known = ids.get(file) ?? new Set(attribute(readFileSync(file, "utf8"), "id"));
    ids.set(file, known);
    return known;
  };
  const dead: string[] = [];
  let checked = 0;
  for (const page of pages) {
    const file = join(folder, page);
    const html = readFileSync(file, "utf8");
    const here = `${base}${page.replaceAll("\\", "/")}`;
    for (const address of new Set([...attribute(html, "href"), ...attribute(html, "src")])) {
      if (address.startsWith("pathname:")) dead.push(`${page}: ${address} is no link for a browser`);
      const url = new URL(address, `http://site.invalid${here}`);
      if (url.host !== "site.invalid") continue;
      checked += 1;
      const path = decodeURIComponent(url.pathname);
      const linked = path.startsWith(base) ? fileOf(folder, path.slice(base.length)) : undefined;
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (linked === undefined) dead.push(`${page}: ${address} does not exist`);
      else if (anchor !== "" && linked.endsWith(".html") && !idsOf(linked).has(anchor)) {
        dead.push(`${page}: ${relative(folder, linked)} has no #${anchor}`);
      }
    }
  }
  console.log(`${checked} links on ${pages.length} pages`);
  return dead;
}
