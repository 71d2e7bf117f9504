import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig, type MarkdownOptions } from "vitepress";
import { guides, linksOf, llmsFullPage, llmsPage } from "../../scripts/api/llms-page.js";
import { checkLinks } from "./check-links.js";
import { slug } from "./mend-reference.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { version, repository } = JSON.parse(read("package.json")) as { version: string; repository?: { url: string } };
/** Where links to source files lead. Without a repository, they are plain text. */
const sources = repository?.url.replace(/^git\+|\.git$/g, "");

/** The guides of each group of the sidebar; a guide that no group names is under "Guides". */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Testing: ["testing", "emulator"],
  Production: ["errors", "configuration", "observability", "scaling", "security", "runtimes", "migrating"],
  Reference: ["coverage", "openapi", "versioning"],
  Project: ["assumptions", "architecture", "reliability", "performance", "early-responses", "link-rules"],
};

const item = (name: string): DefaultTheme.SidebarItem => ({
  text: /^# (.+)$/m.exec(read(`docs/${name}.md`))?.[1] ?? name,
  link: `/docs/${name}`,
});
const isRecipe = (name: string) => name.startsWith("recipes");
const all = guides();
const grouped = Object.values(GROUPS).flat();
const inGroup = (group: string) => all.filter((name) => GROUPS[group]?.includes(name)).map(item);

const sidebar: DefaultTheme.SidebarItem[] = [
  { text: "Start", items: [{ text: "notetaker-sdk", link: "/" }] },
  { text: "Guides", items: all.filter((name) => !isRecipe(name) && !grouped.includes(name)).map(item) },
  { text: "Testing", items: inGroup("Testing") },
  { text: "Production", items: inGroup("Production") },
  { text: "Recipes", items: all.filter(isRecipe).map(item) },
  { text: "Reference", items: [{ text: "Every signature", link: "/api" }, ...inGroup("Reference")] },
  {
    text: "Project",
    items: [
      ...inGroup("Project"),
      { text: "Changes", link: "/CHANGELOG" },
      { text: "Contributing", link: "/CONTRIBUTING" },
    ],
  },
];

/** The pages that typedoc wrote, one for each entry point. */
const reference = (): DefaultTheme.SidebarItem[] =>
  readdirSync(join(root, "reference"), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .map((name) => name.replace(/(\/index)?\.md$/, ""))
    .sort()
    .map((name) => ({ text: name, link: `/reference/${name}` }));

/** The files beside the pages that links may name. They are copied into the site. */
const DATA = /^(openapi\.json|llms\.txt|docs\/.*\.(png|svg))$/;

/**
 * Code blocks without the flags that tests read, and links to source files: to the repository, or plain text. A link to
 * a data file is opened by the browser, not by VitePress.
 */
const markdown: MarkdownOptions["config"] = (md) => {
  md.core.ruler.push("repository", ({ tokens, env }) => {
    const folder = posix.dirname((env as { relativePath: string }).relativePath);
    for (const token of tokens) {
      if (token.type === "fence") token.info = token.info.split(" ", 1)[0] ?? "";
      for (const child of token.children ?? []) {
        if (child.type !== "link_open") continue;
        const href = String(child.attrGet("href"));
        if (/^(\w+:|#)/.test(href)) continue;
        const [file = "", anchor] = href.split("#");
        const path = posix.normalize(posix.join(folder, file));
        if (path === "README.md") child.attrSet("href", anchor === undefined ? "/" : `/#${anchor}`);
        else if (DATA.test(path)) child.attrSet("href", `pathname:///${path}`);
        else if (!path.endsWith(".md") && existsSync(join(root, path))) {
          if (sources === undefined) child.attrs = null;
          else child.attrSet("href", `${sources}/blob/main/${path}`);
        }
      }
    }
  });
};

export default defineConfig({
  srcDir: "..",
  srcExclude: ["{bench,dist,examples,scripts,src,test}/**", ".github/**", "docs/.vitepress/**"],
  rewrites: { "README.md": "index.md" },
  lang: "en-GB",
  title: "notetaker-sdk",
  description: "The TypeScript client for an AI meeting note-taker.",
  cleanUrls: true,
  markdown: {
    anchor: { slugify: slug },
    config: markdown,
    // Colours with enough contrast in both modes.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/docs/bots", activeMatch: "^/docs/" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: `v${version}`, link: "/CHANGELOG" },
    ],
    sidebar: {
      "/reference/": [{ text: "Reference", link: "/reference/", items: reference() }],
      "/": sidebar,
    },
    outline: [2, 3],
    search: { provider: "local" },
    ...(sources && { socialLinks: [{ icon: "github", link: sources, ariaLabel: "The repository" }] }),
    docFooter: { prev: false, next: false },
  },
  buildEnd({ outDir, site }) {
    const put = (path: string) => {
      mkdirSync(dirname(join(outDir, path)), { recursive: true });
      copyFileSync(join(root, path), join(outDir, path));
    };
    // The pages as Markdown, for assistants.
    for (const path of ["openapi.json", ...linksOf(llmsPage())]) put(path);
    const allInOne = "- [README and guides](llms-full.txt): the pages above, in one file.\n";
    writeFileSync(join(outDir, "llms.txt"), llmsPage() + allInOne);
    writeFileSync(join(outDir, "llms-full.txt"), llmsFullPage());
    const dead = checkLinks(outDir, site.base);
    if (dead.length > 0) throw new Error(`dead links:\n${dead.join("\n")}`);
  },
});
