import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig } from "vitepress";
import { slug } from "../mend-reference.js";

interface Site {
  base: string;
  repository: string;
  version: string;
  guides: DefaultTheme.SidebarItem[];
  examples: DefaultTheme.SidebarItem[];
}

const content = fileURLToPath(new URL("../content", import.meta.url));
/** Written by site/build.ts. */
const site = JSON.parse(readFileSync(join(content, "site.json"), "utf8")) as Site;
/** Other versions of the package whose sites are kept beside this one. */
const { others } = JSON.parse(readFileSync(new URL("../versions.json", import.meta.url), "utf8")) as {
  others: DefaultTheme.NavItemWithLink[];
};

/** The pages that typedoc wrote, one for each entry point. */
function reference(path = "reference"): DefaultTheme.SidebarItem[] {
  return readdirSync(join(content, path), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => name.replace(/(\/index)?\.md$/, ""))
    .sort()
    .map((name) => ({ text: name, link: `/${path}/${name}` }));
}

/** The guides of each group of the sidebar; a guide that no group names is under "Guides". */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Testing: ["testing", "emulator"],
  Production: ["errors", "configuration", "observability", "scaling", "security", "runtimes", "migrating"],
  Reference: ["coverage", "openapi", "versioning"],
  Project: ["assumptions", "architecture", "reliability", "performance", "early-responses", "link-rules"],
};

const nameOf = ({ link = "" }: DefaultTheme.SidebarItem) => link.replace(/^\/docs\//, "");
const isRecipe = (item: DefaultTheme.SidebarItem) => nameOf(item).startsWith("recipes");
const grouped = Object.values(GROUPS).flat();
const inGroup = (group: string) =>
  (GROUPS[group] ?? []).flatMap((name) => site.guides.filter((item) => nameOf(item) === name));

const sidebar: DefaultTheme.SidebarItem[] = [
  { text: "Start", items: [{ text: "notetaker-sdk", link: "/" }] },
  { text: "Guides", items: site.guides.filter((item) => !isRecipe(item) && !grouped.includes(nameOf(item))) },
  { text: "Testing", items: inGroup("Testing") },
  { text: "Production", items: inGroup("Production") },
  { text: "Recipes", collapsed: true, items: site.guides.filter(isRecipe) },
  { text: "Reference", items: [{ text: "Every signature", link: "/api" }, ...inGroup("Reference")] },
  {
    text: "Project",
    items: [
      ...inGroup("Project"),
      { text: "Changes", link: "/changelog" },
      { text: "Contributing", link: "/contributing" },
    ],
  },
];

export default defineConfig({
  base: site.base,
  srcDir: "content",
  outDir: "dist",
  lang: "en-GB",
  title: "notetaker-sdk",
  description: "The TypeScript client for an AI meeting note-taker.",
  cleanUrls: true,
  ignoreDeadLinks: false,
  markdown: {
    anchor: { slugify: slug },
    // Colours with enough contrast in both modes.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/docs/bots", activeMatch: "^/docs/" },
      { text: "Examples", link: "/examples/", activeMatch: "^/examples/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: `v${site.version}`, items: [{ text: "Changes", link: "/changelog" }, ...others] },
    ],
    sidebar: {
      "/reference/": [{ text: "Reference", link: "/reference/", items: reference() }],
      "/examples/": [{ text: "Examples", link: "/examples/", items: site.examples }],
      "/": sidebar,
    },
    outline: [2, 3],
    search: { provider: "local" },
    socialLinks: [{ icon: "github", link: site.repository, ariaLabel: "The repository" }],
    docFooter: { prev: false, next: false },
  },
});
