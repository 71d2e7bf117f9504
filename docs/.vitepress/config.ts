import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { renderMermaidSVG } from "beautiful-mermaid";
import { type DefaultTheme, defineConfig, type HeadConfig, type MarkdownOptions } from "vitepress";
import { guides, introductionOf, linksOf, llmsFullPage, llmsPage } from "../../scripts/api/llms-page.js";
import { accessibility } from "./accessibility.js";
import { checkLinks } from "./check-links.js";
import { guidesPage } from "./guides-page.js";
import { isData, isSource, markdownPage, pageUrl, rewrites } from "./markdown-page.js";
import { search } from "./search.js";
import { addRunButtons } from "./theme/playground/runnable.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { version, repository } = JSON.parse(read("package.json")) as { version: string; repository?: { url: string } };
/** Where links to source files lead. Without a repository, they are plain text. */
const sources = repository?.url.replace(/^git\+|\.git$/g, "");

/** Where the site is published: a URL, or only the path below which it is. */
const { SITE_URL = "/" } = process.env;
const base = new URL(SITE_URL, "http://localhost").pathname.replace(/\/?$/, "/");
const address = URL.canParse(SITE_URL) ? new URL(base, SITE_URL).href : undefined;

/** The guides of each group of the sidebar; a guide that no group names is under "Guides". */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  /** In this order. */
  "Put it into your product": [
    "web-app",
    "recipes/nextjs",
    "many-customers",
    "operations",
    "hosting",
    "security",
    "migrating",
  ],
  Start: ["try-it", "choosing", "service"],
  /** The first ones; the others follow. */
  Guides: ["database"],
  Testing: ["testing", "emulator"],
  Production: ["errors", "rate-limits", "configuration", "observability", "runtimes"],
  Reference: ["coverage", "openapi", "versioning"],
  Project: ["assumptions", "architecture", "reliability", "performance"],
};

const item = (name: string): DefaultTheme.SidebarItem => ({
  text: introductionOf(read(`docs/${name}.md`)).title,
  link: `/docs/${name}`,
});
const isRecipe = (name: string) => name.startsWith("recipes");
const all = guides();
const grouped = Object.values(GROUPS).flat();
const inGroup = (group: string) => all.filter((name) => GROUPS[group]?.includes(name)).map(item);

const product = "Put it into your product";
const sidebar: DefaultTheme.SidebarItem[] = [
  { text: product, items: GROUPS[product]?.map(item) ?? [] },
  { text: "Start", items: [{ text: "First steps", link: "/start" }, ...inGroup("Start")] },
  {
    text: "Guides",
    items: [...inGroup("Guides"), ...all.filter((name) => !isRecipe(name) && !grouped.includes(name)).map(item)],
  },
  { text: "Testing", items: inGroup("Testing") },
  { text: "Production", items: inGroup("Production") },
  { text: "Recipes", items: all.filter(isRecipe).map(item) },
  {
    text: "Reference",
    items: [
      { text: "API reference", link: "/reference/" },
      { text: "Every signature", link: "/api" },
      ...inGroup("Reference"),
    ],
  },
  {
    text: "Project",
    items: [
      ...inGroup("Project"),
      { text: "Changes", link: "/CHANGELOG" },
      { text: "Contributing", link: "/CONTRIBUTING" },
    ],
  },
];

writeFileSync(join(root, "reference/guides.md"), guidesPage(sidebar));

/** The pages of the reference, in the order of its first page. */
const reference = [...read("reference/index.md").matchAll(/^- \[(.+?)\]\((\w+)\.md\)/gm)].map(
  ([, text, page]): DefaultTheme.SidebarItem => ({ text: text ?? "", link: `/reference/${page}` }),
);
const isEntryPoint = ({ text = "" }: DefaultTheme.SidebarItem) => text.includes("/");

/** The id of a section as on GitHub, so that a link to a section works on both sites. */
const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");

/** The command that installs a package, as a tab for each package manager. */
const installTabs = (packages: string) =>
  [
    "::: code-group",
    ...["npm install", "pnpm add", "yarn add", "bun add"].map(
      (command) => `\`\`\`sh [${command.split(" ")[0]}]\n${command} ${packages}\n\`\`\``,
    ),
    ":::",
  ].join("\n");

const diagram = (code: string) => {
  // The library reads arrows with spaces around, and lays out what is in no box.
  // From top to bottom: the page is too narrow for text from left to right that can be read.
  const plain = code
    .replaceAll("-->", " --> ")
    .replace(/^(subgraph.*|end)$/gm, "")
    .replace(/^flowchart LR/, "flowchart TD");
  const svg = renderMermaidSVG(plain, { bg: "var(--vp-c-bg)", fg: "var(--vp-c-text-1)", transparent: true });
  const image = svg.replace(/@import.*;/, "").replace("<svg", '<svg role="img" aria-label="What imports what"');
  // Not as elements: Vue leaves out a `<style>` of a template, in the browser alone.
  const html = JSON.stringify(image).replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<div class="diagram" tabindex="0" v-html="${html}"></div>`;
};

/** A long name may be broken at its dots and capitals, but not inside a word, and `--limits` not after its dashes. */
const breakable = (code: string) =>
  code
    .replace(/[\w.]{18,}/g, (name) => name.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[._])(?=[A-Za-z])/g, "<wbr>"))
    .replace(/(?<![\w-])--?[a-z][\w-]*/g, '<span class="whole">$&</span>');

/** By the name of a type, its section of the reference. */
const names = JSON.parse(read("reference/names.json")) as Record<string, string>;

/** A signature in which every public name is a link to its section. */
const withLinks = (html: string) =>
  html.replace(/>([^<]+)</g, (_, text: string) => {
    const linked = text.replace(/\b[A-Z]\w+/g, (name) =>
      Object.hasOwn(names, name) ? `<a href="${names[name]}">${name}</a>` : name,
    );
    return `>${linked}<`;
  });

/**
 * Code blocks without the flags that tests read, install commands as tabs, diagrams drawn, and links to source files:
 * to the repository, or plain text. A link to a data file is opened by the browser, not by VitePress.
 */
const markdown: MarkdownOptions["config"] = (md) => {
  md.core.ruler.before("block", "install", (state) => {
    state.src = state.src.replace(/^```sh\nnpm install (.+)\n```$/gm, (_, packages: string) => installTabs(packages));
  });
  const { fence, code_inline: code } = md.renderer.rules;
  md.renderer.rules.code_inline = (...args) => (code?.(...args) ?? "").replace(/(?<=>)[^<]+/, breakable);
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (token?.info === "mermaid") return diagram(token.content);
    const html = (fence?.(tokens, index, options, env, self) ?? "").replace(
      /(?=class="copy")/,
      'aria-label="Copy the code" ',
    );
    if (env.relativePath === "api.md") return `<div class="wrapped">${html}</div>`;
    return token?.meta?.isSignature ? `<div class="signature">${withLinks(html)}</div>` : html;
  };
  addRunButtons(md);
  md.core.ruler.push("repository", ({ tokens, env }) => {
    const folder = posix.dirname((env as { relativePath?: string }).relativePath ?? "");
    for (const token of tokens) {
      if (token.type === "fence") token.meta = { ...token.meta, isSignature: / signature$/.test(token.info) };
      if (token.type === "fence" && !token.info.includes("[")) token.info = token.info.split(" ", 1)[0] ?? "";
      for (const child of token.children ?? []) {
        if (child.type !== "link_open") continue;
        const href = String(child.attrGet("href"));
        if (/^(\w+:|#|\/)/.test(href)) continue;
        const [file = "", anchor] = href.split("#");
        const path = posix.normalize(posix.join(folder, file));
        if (path === "README.md") child.attrSet("href", anchor === undefined ? "/start" : `/start#${anchor}`);
        else if (isData(path)) child.attrSet("href", `/${path}`);
        else if (isSource(path)) {
          if (sources === undefined) child.attrs = null;
          else child.attrSet("href", `${sources}/blob/main/${path}`);
        }
      }
    }
  });
};

const ICON = `data:image/svg+xml,${encodeURIComponent(read("docs/.vitepress/theme/icon.svg"))}`;

/** How the page appears where a link to it is shared. */
const openGraph = (title: string, description: string, page: string): HeadConfig[] => [
  ["meta", { property: "og:title", content: title }],
  ["meta", { property: "og:description", content: description }],
  ["meta", { property: "og:url", content: pageUrl(page, address) }],
  ["meta", { property: "og:type", content: "website" }],
  ["meta", { name: "twitter:card", content: "summary" }],
];

export default defineConfig({
  srcDir: "..",
  srcExclude: ["{bench,dist,examples,mutation,reports,scripts,src,test}/**", ".github/**"],
  rewrites,
  base,
  lang: "en-GB",
  title: "notetaker-sdk",
  head: [["link", { rel: "icon", href: ICON }]],
  ...(address && { sitemap: { hostname: address } }),
  markdown: {
    anchor: { slugify: slug },
    config: markdown,
    // Colours with enough contrast in both modes.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  vite: { plugins: [accessibility] },
  themeConfig: {
    logo: { src: ICON, alt: "" },
    nav: [
      { text: "Guides", link: "/docs/", activeMatch: "^/(docs/|start)" },
      { text: "Reference", link: "/reference/", activeMatch: "^/reference/" },
      { text: `Changes (v${version})`, link: "/CHANGELOG" },
    ],
    sidebar: {
      "/reference/": [
        { text: "API reference", link: "/reference/", items: reference.filter((page) => !isEntryPoint(page)) },
        { text: "Entry points", items: reference.filter(isEntryPoint) },
      ],
      "/": sidebar,
    },
    outline: [2, 3],
    search: { provider: "local", options: search },
    ...(sources && {
      socialLinks: [{ icon: "github", link: sources, ariaLabel: "The repository" }],
      editLink: { pattern: `${sources}/edit/main/:path` },
    }),
  },
  transformPageData({ filePath, frontmatter }) {
    if (/^(reference\/|api\.md)/.test(filePath)) frontmatter.editLink = false;
    return {
      description: frontmatter.description ?? introductionOf(read(filePath)).sentence,
      // A guide, a recipe and a part of the reference may have the same subject.
      ...(/^reference\/(?!guides)/.test(filePath) && { titleTemplate: ":title, reference | notetaker-sdk" }),
      ...(filePath === "README.md" && { titleTemplate: ":title, first steps" }),
      ...(filePath.startsWith("docs/recipes/") && { titleTemplate: ":title, recipe | notetaker-sdk" }),
    };
  },
  transformHead: ({ title, description, page }) => (address ? openGraph(title, description, page) : []),
  buildEnd({ outDir, site, pages }) {
    const put = (path: string, text = read(path)) => {
      mkdirSync(dirname(join(outDir, path)), { recursive: true });
      writeFileSync(join(outDir, path), text);
    };
    // The pages as Markdown, for assistants and for "Copy page".
    for (const path of new Set(["openapi.json", ...pages, ...linksOf(llmsPage())])) {
      put(path, path.endsWith(".md") ? markdownPage(path, { address, sources }) : read(path));
    }
    const allInOne = "- [README and guides](llms-full.txt): the pages above, in one file.\n";
    writeFileSync(join(outDir, "llms.txt"), llmsPage() + allInOne);
    writeFileSync(join(outDir, "llms-full.txt"), llmsFullPage());
    const dead = checkLinks(outDir, site.base);
    if (dead.length > 0) throw new Error(`dead links:\n${dead.join("\n")}`);
  },
});
