/**
 * Makes the pages of the site from the repository: README, guides, examples, and the other files that these link to.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { guides, linksOf, llmsFullPage, llmsPage } from "../scripts/api/llms-page.js";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const content = join(root, "site/content");

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** Maps a file of the repository to its page. */
const PAGES: Readonly<Record<string, string>> = {
  "README.md": "index.md",
  "CHANGELOG.md": "changelog.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "security-policy.md",
  "api.md": "api.md",
  ...Object.fromEntries(guides().map((name) => [`docs/${name}.md`, `docs/${name}.md`])),
};

interface Example {
  /** `archive-sqlite` */
  name: string;
  /** Its files, relative to the repository, beginning with the file to run. */
  files: string[];
}

const CODE = /\.(ts|tsx|js|html|css|json|toml)$/;

const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => CODE.test(path) && !/node_modules|\/\.|mockServiceWorker|package-lock/.test(path))
    .sort();

/** `tour.ts` and the folder `tour` are one example. A folder without a file of its name is an example, too. */
function examples(): Example[] {
  const entries = readdirSync(join(root, "examples"), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const files = entries.filter((entry) => entry.name.endsWith(".ts")).map(({ name }) => name.slice(0, -".ts".length));
  const recipes = folders.includes("recipes") ? readdirSync(join(root, "examples/recipes")) : [];
  const names = [...new Set([...files, ...folders])].filter((name) => name !== "recipes").sort();
  const make = (name: string, path: string): Example => ({
    name,
    files: [
      ...(existsSync(join(root, `${path}.ts`)) ? [`${path}.ts`] : []),
      ...(existsSync(join(root, path)) ? filesBelow(path) : []),
    ],
  });
  const all = [
    ...names.map((name) => make(name, `examples/${name}`)),
    ...recipes.map((name) => make(`recipe-${name}`, `examples/recipes/${name}`)),
  ];
  return all.filter((example) => example.files.length > 0);
}

/** The comment at the top of a file, as text. */
const introductionOf = (code: string) =>
  (/^\/\*\*([\s\S]*?)\*\//.exec(code)?.[1] ?? "").replace(/^\s*\* ?/gm, "").trim();

/** Escapes angle brackets and braces, which VitePress would read as HTML and templates. */
const asText = (text: string) => text.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;");

function examplePage({ name, files }: Example): string {
  const introduction = introductionOf(read(files[0] ?? ""));
  const sections = files.map((path) => {
    const language = path.split(".").at(-1) ?? "";
    return `## ${posix.relative("examples", path)}\n\n\`\`\`\`${language}\n${read(path).trimEnd()}\n\`\`\`\``;
  });
  return `# ${name.replace(/^recipe-/, "").replaceAll("-", " ")}\n\n${asText(introduction)}\n\n${sections.join("\n\n")}\n`;
}

/** Maps a file or folder of `examples` to the page that shows it. */
const examplePages = new Map<string, string>();

/** The target on the site of a link to a file of the repository: its page, or else the file in the repository. */
function target(path: string, repository: string): string {
  const page = PAGES[path] ?? examplePages.get(path.replace(/\/$/, ""));
  if (page !== undefined) return `/${page.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, "")}`;
  if (path === "openapi.json" || path === "llms.txt") return `pathname:///${path}`;
  return existsSync(join(root, path)) ? `${repository}/blob/main/${path}` : path;
}

/** Calls `change` on the text outside of code blocks. */
const outsideOfCode = (page: string, change: (text: string) => string) =>
  page
    .split(/(^(?:```|````)[\s\S]*?^(?:```|````)$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");

/** A page with links to the pages of the site, and code fences without the flags that tests read. */
function sitePage(path: string, repository: string): string {
  const folder = posix.dirname(path);
  const relink = (whole: string, before: string, address: string, after: string) => {
    if (/^(https?:|mailto:|#)/.test(address)) return whole;
    const [file = "", anchor] = address.split("#");
    const linked = target(posix.normalize(posix.join(folder, file)), repository);
    return `${before}${linked}${anchor === undefined ? "" : `#${anchor}`}${after}`;
  };
  const page = outsideOfCode(read(path), (text) => text.replace(/(\]\()([^)\s]+)(\))/g, relink));
  return page.replace(/^(```\w+)[^\n`]*$/gm, "$1");
}

export interface SitePages {
  guides: { text: string; link: string }[];
  examples: { text: string; link: string }[];
}

const titleOf = (page: string) => /^# (.+)$/m.exec(page)?.[1] ?? "";

/** Writes the pages; returns what the sidebar lists. The reference is written by typedoc. */
export function writeContent(repository: string): SitePages {
  rmSync(content, { recursive: true, force: true });
  mkdirSync(join(content, "public"), { recursive: true });
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(content, path)), { recursive: true });
    writeFileSync(join(content, path), text);
  };
  const all = examples();
  for (const { name, files } of all) {
    for (const file of files) examplePages.set(file, `examples/${name}.md`);
    examplePages.set(posix.dirname(files.at(-1) ?? ""), `examples/${name}.md`);
  }
  for (const [path, page] of Object.entries(PAGES)) {
    // The browser, not VitePress, opens links to data files.
    write(page, sitePage(path, repository).replaceAll("](pathname:///", "](/"));
  }
  for (const example of all) write(`examples/${example.name}.md`, examplePage(example));
  const list = all.map(({ name }) => ({ text: name.replace(/^recipe-/, "recipe: "), link: `/examples/${name}` }));
  const lines = list.map(({ text, link }) => `- [${text}](${link})`);
  write(
    "examples/index.md",
    `# Examples\n\nEach example is a file or a folder of \`examples\`. The tests run all of them.\n\n${lines.join("\n")}\n`,
  );
  for (const name of readdirSync(join(root, "docs")).filter((file) => /\.(png|svg)$/.test(file))) {
    cpSync(join(root, "docs", name), join(content, "docs", basename(name)));
  }
  cpSync(join(root, "openapi.json"), join(content, "public/openapi.json"));
  const allInOne = "- [README and guides](llms-full.txt): the pages above, in one file.\n";
  write("public/llms.txt", llmsPage() + allInOne);
  write("public/llms-full.txt", llmsFullPage());
  return {
    guides: guides().map((name) => ({ text: titleOf(read(`docs/${name}.md`)), link: `/docs/${name}` })),
    examples: list,
  };
}

/** Copies the files that llms.txt links to, unchanged, into the built site. */
export function copyForAssistants(dist: string): void {
  for (const path of linksOf(llmsPage())) cpSync(join(root, path), join(dist, path));
}
