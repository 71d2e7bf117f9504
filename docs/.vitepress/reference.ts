/**
 * Writes the API reference into the folder `reference`: a page for each theme of the root module, and one for each
 * other entry point.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  Comment,
  Converter,
  DeclarationReflection,
  type Logger,
  OptionDefaults,
  PageEvent,
  type ProjectReflection,
  ReflectionKind,
} from "typedoc";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The themes of the root module: page, title, a sentence, and what belongs to it: source files and names, as
 * `src/client.ts#Notetaker`. The first that matches a name has it.
 */
const THEMES: readonly (readonly [page: string, title: string, sentence: string, names: RegExp])[] = [
  [
    "client",
    "Client",
    "Create and configure a client, and send requests of your own.",
    /client|configuration|assumptions|notetaker-like|transport\/(?!page|list|fake)|rate-limit/,
  ],
  [
    "meetings",
    "Meetings and bots",
    "Send bots, upload, wait for results, and read meetings.",
    /resources\/meetings|find-document/,
  ],
  ["resources", "Other resources", "Rooms, documents, permissions, webhooks and settings.", /resources\//],
  [
    "errors",
    "Errors",
    "What a call rejects with, and how to tell errors apart.",
    /errors\/|error-envelope|format-issues/,
  ],
  ["schemas", "Schemas", "The zod schemas of the service's data, for your own checks.", /Schema$|standard-schema/],
  ["lists", "Lists and pages", "Pagination: every item of a list, or page by page.", /\/page|fake-page|list-options/],
  ["waiting", "Waiting", "Options and reports of waiting for a meeting, and of watching all of them.", /waiting\//],
  [
    "media",
    "Uploads and recordings",
    "Sources, options and progress of uploads and downloads.",
    /upload|recording|media\//,
  ],
  ["data", "Data", "Parameters and results of calls, with every field.", /schemas\/|documents\/|index\.ts/],
];

const ENTRY_POINTS = ["node", "transcript", "webhooks", "browser", "redis", "otel", "tools", "doctor", "testing"];

/** Moves the names of the root module into a module for each theme, and shortens the names of the other modules. */
function splitRoot(project: ProjectReflection): void {
  const rootModule = project.children?.find(({ name }) => name === "notetaker-sdk");
  const themes = THEMES.map(([name, , sentence]) => {
    const module = new DeclarationReflection(name, ReflectionKind.Module, project);
    module.comment = new Comment([{ kind: "text", text: sentence }]);
    project.registerReflection(module, undefined, undefined);
    project.addChild(module);
    return module;
  });
  for (const child of [...(rootModule?.children ?? [])]) {
    const source = `${project.getSymbolIdFromReflection(child)?.packagePath}#${child.name}`;
    const theme = themes[THEMES.findIndex(([, , , names]) => names.test(source))];
    if (theme === undefined) throw new Error(`${source} belongs to no theme of the reference`);
    rootModule?.removeChild(child);
    child.parent = theme;
    theme.addChild(child);
  }
  if (rootModule !== undefined) project.removeReflection(rootModule);
  for (const module of project.children ?? []) module.name = module.name.replace("notetaker-sdk/", "");
}

/** A class documents its own members; what it inherits is on the page of the class that it extends. */
function removeInherited(project: ProjectReflection): void {
  for (const member of project.getReflectionsByKind(ReflectionKind.ClassMember) as DeclarationReflection[]) {
    for (const declared of [member, ...(member.signatures ?? [])]) delete declared.overwrites;
    if (member.inheritedFrom && member.parent?.kindOf(ReflectionKind.Class)) project.removeReflection(member);
  }
}

/** The text of a comment, with its tags. */
const textOf = ({ summary = [], blockTags = [] }: Partial<Comment> = {}) =>
  [summary, ...blockTags.map(({ content }) => content)].map((part) => part.map(({ text }) => text).join("")).join("\n");

/** The first of several overloads shows the text that all of them have. */
function showTextsOnce(project: ProjectReflection): void {
  for (const reflection of project.getReflectionsByKind(ReflectionKind.FunctionOrMethod)) {
    const [first, ...others] = (reflection as DeclarationReflection).signatures ?? [];
    for (const other of others) if (textOf(other.comment) === textOf(first?.comment)) delete other.comment;
  }
}

const titleOf = (guide: string) => /^# (.+)$/m.exec(readFileSync(join(root, guide), "utf8"))?.[1] ?? guide;

/**
 * The page as it is published: headings for names alone, so that outline and search list nothing else, and texts that
 * name a guide (`docs/errors.md`) with a link to it.
 */
const mendPage = (page: string) =>
  page
    .replace(/^#+ Returns\n\n/gm, "Returns ")
    .replace(/^#+ Throws\n\n/gm, "- Throws ")
    .replace(/^#+ Beta\n\n/gm, "**Beta:** ")
    .replace(/^#{3,6} ([\w ]+)$/gm, "**$1**")
    .replace(/^#{3,6} (.+ \{#.+\})$/gm, "### $1")
    .replace(/(?<![\w(/])docs\/[\w/-]+\.md(#[\w-]+)?/g, (link) => `[${titleOf(link.replace(/#.*/, ""))}](../${link})`);

const indexPage = (modules: readonly DeclarationReflection[]) => {
  const lines = ENTRY_POINTS.map((name) => {
    const text = Comment.combineDisplayParts(modules.find((module) => module.name === name)?.comment?.summary);
    return `- [notetaker-sdk/${name}](${name}.md)${text.replace(/^[^:]*(?=:)/, "").replace(/\n/g, " ")}`;
  });
  const themes = THEMES.map(([name, title, sentence]) => `- [${title}](${name}.md): ${sentence}`);
  return `# API reference

Every public name with its documentation. For a first read, take the [guides](../README.md).

## notetaker-sdk

${themes.join("\n")}

## Other entry points

${lines.join("\n")}
`;
};

const WORDS_MAX = 90;

/** What an editor shows when the pointer is on a name stays short: the rest belongs into a guide. */
function checkLengths(project: ProjectReflection, logger: Logger): void {
  for (const reflection of Object.values(project.reflections)) {
    const { summary = [], blockTags = [] } = reflection.comment ?? {};
    const shown = { summary, blockTags: blockTags.filter(({ tag }) => tag !== "@example") };
    const words = textOf(shown).match(/\S+/g)?.length ?? 0;
    if (words > WORDS_MAX) logger.warn(`${reflection.getFullName()}: ${words} words`);
  }
}

export async function writeReference(): Promise<void> {
  rmSync(join(root, "reference"), { recursive: true, force: true });
  const titles: Readonly<Record<string, string>> = Object.fromEntries(THEMES);
  const module = ({ rawName }: { rawName: string }) => titles[rawName] ?? `notetaker-sdk/${rawName}`;
  const app = await Application.bootstrapWithPlugins({
    options: join(root, "typedoc.json"),
    // With a text of its own: typedoc would add the text to the tag before it.
    blockTags: [...OptionDefaults.blockTags, "@beta"],
    modifierTags: OptionDefaults.modifierTags.filter((tag) => tag !== "@beta"),
    ...{ pageTitleTemplates: { module } },
  });
  let names: DeclarationReflection[] = [];
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => splitRoot(project), 1_000);
  const beforeGrouping = -50;
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      removeInherited(project);
      names = project.children?.flatMap(({ children = [] }) => children) ?? [];
    },
    beforeGrouping,
  );
  // A name that a file links to without importing it: `{@link NotFoundError}`.
  app.converter.addUnknownSymbolResolver(({ symbolReference }) => {
    const name = symbolReference?.path?.[0]?.path;
    const target = names.find((known) => known.name === name && !known.isReference());
    const anchor = `${target?.flags.isAbstract ? "abstract-" : ""}${name?.toLowerCase()}`;
    return target && `${target.parent?.name}.md#${anchor}`;
  });
  app.renderer.on(PageEvent.END, (page: PageEvent) => {
    page.contents = mendPage(page.contents ?? "");
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("typedoc failed");
  app.validate(project);
  checkLengths(project, app.logger);
  showTextsOnce(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("The reference has problems: see above.");
  writeFileSync(join(root, "reference/index.md"), indexPage(project.children ?? []));
}
