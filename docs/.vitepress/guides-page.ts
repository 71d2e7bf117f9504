/** The page at `/docs/`: every guide in the groups of the sidebar, with its first sentence. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { introductionOf } from "../../scripts/api/llms-page.js";

const sentenceOf = (page: string) =>
  introductionOf(readFileSync(fileURLToPath(new URL(`../..${page}`, import.meta.url)), "utf8")).sentence;

interface SidebarItem {
  readonly text?: string;
  readonly link?: string;
  readonly items?: readonly SidebarItem[];
}

function line({ text, link = "" }: SidebarItem): string {
  const page = `${link}.md`;
  return link.startsWith("/docs/") ? `- [${text}](${page}): ${sentenceOf(page)}` : `- [${text}](${link})`;
}

export const guidesPage = (sidebar: readonly SidebarItem[]): string =>
  `# Guides\n\nNew here? Begin with the [first steps](/start).\n\n${sidebar
    .map(({ text, items = [] }) => `## ${text}\n\n${items.map(line).join("\n")}\n`)
    .join("\n")}`;
