/** Reads the public names from the source with typedoc, and sorts them into pages. */
import {
  Application,
  Comment,
  Converter,
  type DeclarationReflection,
  type Logger,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  type SignatureReflection,
} from "typedoc";
import { DeclarationText } from "../../../scripts/api/declaration-text.js";
import { readUsedTypes, TYPEDOC_OPTIONS, UNEXPORTED } from "../../../scripts/api/public-surface.js";

export interface PageOfReference {
  /** The name of the file. */
  readonly page: string;
  readonly title: string;
  readonly sentence: string;
  readonly names: DeclarationReflection[];
}

/**
 * The pages of the root module: file, title, a sentence, and what belongs to the page: source
 * files and names, as `src/client.ts#Notetaker`. The first page that matches a name has it.
 */
const THEMES: readonly (readonly [page: string, title: string, sentence: string, names: RegExp])[] = [
  ["schemas", "Schemas", "The zod schemas of the service's data, for your own checks.", /Schema$/],
  [
    "meetings",
    "Meetings and bots",
    "Send bots, upload, wait for results, and read meetings.",
    /resources\/meetings|find-document|waiting\/|media\/|schemas\/(bot|meeting|recording|transcript|upload|conference)|#(Meeting|Event|Speaker)Id$/,
  ],
  ["rooms", "Rooms", "Rooms and their meetings.", /resources\/rooms|schemas\/room|#RoomId$/],
  [
    "documents",
    "Documents",
    "Summaries, action items and other documents.",
    /resources\/documents|documents\/|schemas\/document|#DocumentId$/,
  ],
  ["permissions", "Permissions", "Who may see a meeting.", /(resources|schemas)\/permission/],
  [
    "webhooks",
    "Webhooks of an account",
    "Create, change and delete the webhooks of an account.",
    /resources\/webhooks|schemas\/webhook|#WebhookId$/,
  ],
  ["settings", "Settings", "Which meetings the bot joins by itself.", /resources\/settings|automation/],
  ["lists", "Lists and pages", "Pagination: every item of a list, or page by page.", /lists\/|schemas\/page|expansion/],
  [
    "errors",
    "Errors",
    "What a call rejects with, and how to tell errors apart.",
    /errors\/|error-envelope|format-issues/,
  ],
  ["events", "Events", "The kinds of events, and the data of a delivery.", /schemas\/event/],
  ["client", "Client", "Create and configure a client, and send requests of your own.", /./],
];

/** The pages in their order in the sidebar. */
const ORDER = ["client", "meetings", "rooms", "documents", "permissions", "webhooks", "settings", "lists", "errors"];
const ENTRY_POINTS = [
  "node",
  "transcript",
  "webhooks",
  "browser",
  "redis",
  "sql",
  "otel",
  "tools",
  "doctor",
  "testing",
];
/** The declarations as TypeScript. */
export class Declarations {
  readonly #text: DeclarationText;

  constructor(project: ProjectReflection) {
    this.#text = new DeclarationText(project);
  }

  /** A field's type, a signature from its parameters on, the head of a class or an interface, or a whole declaration. */
  of(reflection: Reflection): string {
    return this.#textOf(reflection).replace(/ \| undefined$/, "");
  }

  #textOf(reflection: Reflection): string {
    if (reflection.isSignature()) {
      const isGetter = reflection.kind === ReflectionKind.GetSignature;
      return isGetter ? this.#text.type(reflection.type) : this.#text.signature(reflection);
    }
    if (!reflection.isDeclaration()) return "";
    if (reflection.kindOf(ReflectionKind.ClassOrInterface)) return this.#text.head(reflection);
    if (reflection.kindOf(ReflectionKind.TypeAlias | ReflectionKind.Variable))
      return this.#text.declaration(reflection);
    return reflection.type === undefined ? "" : this.#text.type(reflection.type);
  }

  typeOfParameter({ parameters = [] }: SignatureReflection, index: number): string {
    return this.#text.type(parameters[index]?.type).replace(/ \| undefined$/, "");
  }
}

/** Of the names of the root module, those of each page. */
function pagesOf(project: ProjectReflection): PageOfReference[] {
  const modules = project.children ?? [];
  const rootModule = modules.find(({ name }) => name === "notetaker-sdk");
  const pages = THEMES.map(([page, title, sentence]): PageOfReference => ({ page, title, sentence, names: [] }));
  for (const child of rootModule?.children ?? []) {
    const source = `${project.getSymbolIdFromReflection(child)?.packagePath}#${child.name}`;
    pages[THEMES.findIndex(([, , , names]) => names.test(source))]?.names.push(child);
  }
  const entries = ENTRY_POINTS.map((name): PageOfReference => {
    const module = modules.find((one) => one.name === `notetaker-sdk/${name}`);
    const text = Comment.combineDisplayParts(module?.comment?.summary).replace(/^[^:]*: /, "");
    return {
      page: name === "webhooks" ? "receiving" : name,
      title: `notetaker-sdk/${name}`,
      sentence: text.charAt(0).toUpperCase() + text.slice(1).replaceAll("\n", " "),
      names: module?.children ?? [],
    };
  });
  const rank = ({ page }: PageOfReference) => (ORDER.indexOf(page) + ORDER.length + 1) % (ORDER.length + 1);
  return [...pages.sort((a, b) => rank(a) - rank(b)), ...entries];
}

const PROMISE_MEMBERS = ["then", "catch", "finally", "[species]"];

/** A class documents its own members; what it inherits is in the section of the class that it extends. */
function removeInherited(project: ProjectReflection): void {
  for (const member of project.getReflectionsByKind(ReflectionKind.ClassMember) as DeclarationReflection[]) {
    if (!member.parent?.kindOf(ReflectionKind.Class)) continue;
    if (member.inheritedFrom !== undefined || PROMISE_MEMBERS.includes(member.name)) project.removeReflection(member);
  }
}

/** The text of a comment, with its tags. */
const textOf = ({ summary = [], blockTags = [] }: Partial<Comment> = {}) =>
  [summary, ...blockTags.map(({ content }) => content)].map((part) => part.map(({ text }) => text).join("")).join("\n");

const WORDS_MAX = 115;

/** What an editor shows when the pointer is on a name stays short: the rest belongs into a guide. */
function checkLengths(project: ProjectReflection, logger: Logger): void {
  for (const reflection of Object.values(project.reflections)) {
    const { summary = [], blockTags = [] } = reflection.comment ?? {};
    const shown = { summary, blockTags: blockTags.filter(({ tag }) => tag !== "@example") };
    // A table is looked up, not read.
    const words =
      textOf(shown)
        .replace(/^\|.*$/gm, "")
        .match(/\S+/g)?.length ?? 0;
    if (words > WORDS_MAX) logger.warn(`${reflection.getFullName()}: ${words} words`);
  }
}

/** Fails if an exported name has no documentation, or if a link in a comment leads nowhere. */
export async function readModel(): Promise<{ pages: PageOfReference[]; declarations: Declarations }> {
  const app = await Application.bootstrapWithPlugins({
    ...TYPEDOC_OPTIONS,
    validation: { invalidLink: true, notDocumented: true, notExported: false },
  });
  readUsedTypes(app);
  const names = new Set<string>();
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const declaration of (project.children ?? []).flatMap(({ children = [] }) => children)) {
      names.add(declaration.name);
      // In the source, the name of a schema says it.
      if (declaration.name.endsWith("Schema"))
        declaration.comment ??= new Comment([{ kind: "text", text: "The zod schema of this type." }]);
    }
  });
  // A name that a file links to without importing it: `{@link NotFoundError}`.
  app.converter.addUnknownSymbolResolver(({ symbolReference }) => {
    const name = symbolReference?.path?.[0]?.path ?? "";
    return names.has(name) ? name : undefined;
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("typedoc failed");
  const declarations = new Declarations(project);
  // The names of their values are known now.
  const unexported = project.children?.find(({ name }) => name === UNEXPORTED);
  if (unexported !== undefined) project.removeReflection(unexported);
  app.validate(project);
  checkLengths(project, app.logger);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("The reference has problems: see above.");
  removeInherited(project);
  return { pages: pagesOf(project), declarations };
}

/** The resources are exported as types only, so that typedoc has them as interfaces. */
export const isClass = (one: DeclarationReflection) =>
  one.kindOf(ReflectionKind.Class) ||
  (one.extendedTypes ?? []).some((type) => /^(Resource|MeetingWaiters)$/.test(String(type)));
export const isFunction = (one: DeclarationReflection) => one.kindOf(ReflectionKind.Function);
