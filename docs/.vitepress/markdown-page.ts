/** A page of the site as Markdown, for assistants and for "Copy page". */
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Whether it is a file beside the pages that links may name. These are copied into the site. */
export const isData = (path: string) => /^(openapi\.json|llms\.txt|docs\/.*\.(png|svg))$/.test(path);
/** Whether it is a file of the repository that is not on the site. */
export const isSource = (path: string) => !path.endsWith(".md") && !isData(path) && existsSync(join(root, path));

/** The pages that the site has at another place than the repository. */
export const rewrites: Readonly<Record<string, string>> = {
  "docs/index.md": "index.md",
  "README.md": "start.md",
  "reference/guides.md": "docs/index.md",
};

/** The URL of a page of the site. */
export const pageUrl = (page: string, address = "") =>
  new URL(page.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html"), address).href;

/** Without the HTML of the reference, whose types are links. */
const withoutHtml = (page: string) =>
  page.replace(/<code[^>]*>(.*?)<\/code>/g, (_, code: string) => {
    const text = code.replace(/<[^>]+>/g, "").replace(/&#(\d+);/g, (_, point: string) => String.fromCharCode(+point));
    return `\`${text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&").replaceAll("|", "\\|")}\``;
  });

interface Published {
  readonly address: string | undefined;
  readonly sources: string | undefined;
}

/** If the address of the site is known, the page names it, and its links work wherever the page is pasted. */
export function markdownPage(path: string, { address, sources }: Published): string {
  const page = withoutHtml(readFileSync(join(root, path), "utf8"));
  if (address === undefined) return page;
  const url = pageUrl(rewrites[path] ?? path, address);
  const absolute = (_: string, text: string, href: string) => {
    const file = posix.join(posix.dirname(path), href.replace(/#.*/, ""));
    if (href.startsWith("#")) return `[${text}](${url}${href})`;
    if (!isSource(file)) return `[${text}](${new URL(href, new URL(path, address)).href})`;
    return sources === undefined ? text : `[${text}](${sources}/blob/main/${file})`;
  };
  const parts = page.split(/^(```[\s\S]*?^```)$/m);
  const linked = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replace(/\[([^\]]*)\]\((?!\w+:)([^)\s]+)\)/g, absolute),
  );
  return `Source: ${url}\n\n${linked.join("")}`;
}
