/** Renders llms.txt, the list of pages for AI assistants, and llms-full.txt, which has all pages in one file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./public-surface.js";

const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The guides that most programs need come first; the others follow by name. */
const FIRST = [
  "bots",
  "waiting",
  "webhooks",
  "uploads-and-recordings",
  "transcripts",
  "lists",
  "errors",
  "configuration",
];

/** The pages of docs, without `.md` and the site's first page: guides, then `recipes/…`, one page for each program. */
export function guides(): string[] {
  const all = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => /^\w.*\.md$/.test(name) && name !== "index.md")
    .map((name) => name.slice(0, -".md".length).replaceAll("\\", "/"))
    .sort((a, b) => Number(isRecipe(a)) - Number(isRecipe(b)) || (a < b ? -1 : 1));
  return [...FIRST.filter((name) => all.includes(name)), ...all.filter((name) => !FIRST.includes(name))];
}

const isRecipe = (name: string) => name.startsWith("recipes/");

/** The title of a page and its first sentence, without links. */
export function introductionOf(page: string): { title: string; sentence: string } {
  const [heading = "", ...blocks] = page.split(/\n\s*\n/);
  const paragraph = blocks.find((block) => /^(?!```)[\w`[]/.test(block)) ?? "";
  const text = paragraph.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return { title: heading.replace(/^#\s*/, ""), sentence: /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, ".") ?? "" };
}

const ASSISTANTS = `Facts that assistants get wrong:

- Request and response fields keep the service's names (\`meeting_url\`, \`next_cursor\`). Options of the library are
  camelCase, and the name of a duration ends in its unit: most are milliseconds (\`timeoutMs\`), but those of transcripts
  (\`maxCueSeconds\`) and of simulated failures (\`retryAfterSeconds\`) are seconds.
- \`baseUrl\` must end in \`/v1\`.
- \`rooms.list()\` and the other lists return a promise of a page that is also async-iterable over all items.
  \`toArray({ max })\` drops the items after \`max\`; \`overflow: "throw"\` rejects instead.
- \`fromPath(path)\` of \`notetaker-sdk/node\` returns a source, not a promise: do not await it.
- \`meetings.sendBot\` and \`meetings.upload\` only queue: use \`meetings.waitForTranscript(id)\` or a webhook.
- Tests need no account: \`createEmulator()\` of \`notetaker-sdk/testing\` is the service in memory, and
  \`new Notetaker(service.clientOptions)\` is its client.
- Errors are told apart by class or by \`error.name\`; \`error.outcome\` says what a failed call did at the service.`;

export function llmsPage(): string {
  const line = (name: string) => {
    const { title, sentence } = introductionOf(read(`docs/${name}.md`));
    return `- [${title}](docs/${name}.md): ${sentence}`;
  };
  const pages = guides();
  const { description } = JSON.parse(read("package.json")) as { description: string };
  return `# notetaker-sdk

> ${description}

${ASSISTANTS}

## Start

- [README](README.md): installation, the first call, lists, errors, retries, and where everything else is.
- [API](api.md): every public name with its signature, in one file.
- [OpenAPI](openapi.json): the API specification as data.
- [Skill](skills/notetaker-sdk/SKILL.md): for coding agents, which entry point for which job, and ten short programs.
- \`npx notetaker-sdk mcp --emulator\`: the tools for models as a server of the Model Context Protocol.

## Guides

${pages
  .filter((name) => !isRecipe(name))
  .map(line)
  .join("\n")}

## Recipes

${pages.filter(isRecipe).map(line).join("\n")}
`;
}

/** The files to which `page`, an llms.txt, links. */
export const linksOf = (page: string): string[] => [...page.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);

/** README and guides one after the other, each under its path. Links between pages are not changed. */
export function llmsFullPage(): string {
  const pages = ["README.md", ...guides().map((name) => `docs/${name}.md`)];
  return pages.map((path) => `<!-- ${path} -->\n\n${read(path).trim()}\n`).join("\n");
}
