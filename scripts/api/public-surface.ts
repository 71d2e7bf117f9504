/** Reads the public names of every entry point with TypeDoc, and the types that they use. */
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  Context,
  Converter,
  type DeclarationReflection,
  LogLevel,
  OptionDefaults,
  type ProjectReflection,
  ReflectionKind,
  type TypeDocOptions,
} from "typedoc";
import ts from "typescript";
import { DeclarationText, HIDDEN_PARENT } from "./declaration-text.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface PublicMethod {
  /** For example `meetings.sendBot`. */
  name: string;
  /** Each overload, without the name. */
  signatures: string[];
  isBeta: boolean;
}

export interface Surface {
  /** The declarations by the specifier that users import, for example `notetaker-sdk/node`. */
  entries: Map<string, string[]>;
  /** The types that declarations use but no entry point exports. */
  unexported: string[];
  methods: PublicMethod[];
  warnings: string[];
}

/** How TypeDoc reads the source, for api.md and for the reference of the site. */
export const TYPEDOC_OPTIONS = {
  options: join(root, "typedoc.json"),
  requiredToBeDocumented: [
    "Class",
    "Function",
    "Interface",
    "Method",
    "Accessor",
    "Property",
    "TypeAlias",
    "Variable",
  ] satisfies TypeDocOptions["requiredToBeDocumented"],
  // `@beta` has a text of its own: otherwise, TypeDoc would add the text to the tag before it.
  blockTags: [...OptionDefaults.blockTags, "@beta" as const],
  modifierTags: OptionDefaults.modifierTags.filter((tag) => tag !== "@beta"),
};

type Named = DeclarationReflection;
const byName = (a: Named, b: Named) => (a.name < b.name ? -1 : 1);

/** The module for what entry points use and do not export. */
export const UNEXPORTED = "unexported";

/** TypeDoc reads what entry points export. This makes it read the types that these use, into a module of their own. */
export function readUsedTypes(app: Application): void {
  const used = new Set<ts.Symbol>();
  const create = Context.prototype.createSymbolReference;
  Context.prototype.createSymbolReference = function (symbol, context, name) {
    used.add(symbol);
    return create.call(this, symbol, context, name);
  };
  const isOurs = ({ flags, declarations = [] }: ts.Symbol) =>
    (flags & (ts.SymbolFlags.TypeParameter | ts.SymbolFlags.Module)) === 0 &&
    declarations.some((node) => relative(root, node.getSourceFile().fileName).startsWith("src"));
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    const module = context.createDeclarationReflection(ReflectionKind.Module, undefined, undefined, UNEXPORTED);
    const inner = context.withScope(module);
    inner.setActiveProgram(context.programs[0]);
    // The set grows while it is read.
    for (const symbol of used) {
      if (isOurs(symbol) && context.getReflectionFromSymbol(symbol) === undefined) {
        inner.converter.convertSymbol(inner, symbol);
      }
    }
  });
}

/** A schema has the comments of its type; options, parameters and fields of a seed are named for what they are. */
const NEEDS_NO_COMMENT = new RegExp(
  `\\.[a-z]\\w*Schema \\(|(?:Options|Params) \\(Interface|Seed\\.\\w+ \\(Property| ${UNEXPORTED}\\.`,
);

/** Reads the source. Warnings that nobody needs to act on are left out. */
async function readProject(): Promise<{ project: ProjectReflection; warnings: string[] }> {
  const app = await Application.bootstrapWithPlugins({
    ...TYPEDOC_OPTIONS,
    validation: { notDocumented: true, invalidLink: false, notExported: false },
    sortEntryPoints: false,
    maxTypeConversionDepth: 20,
  });
  const warnings: string[] = [];
  app.logger.log = (message, level) => void (level > LogLevel.Info && warnings.push(message));
  readUsedTypes(app);
  const project = await app.convert();
  if (project === undefined) throw new Error(`TypeDoc failed: ${warnings.join("\n")}`);
  app.validate(project);
  return { project, warnings: warnings.filter((warning) => !NEEDS_NO_COMMENT.test(warning)) };
}

export async function publicSurface(): Promise<Surface> {
  const { project, warnings } = await readProject();
  const text = new DeclarationText(project);
  const modules = (project.children ?? []) as Named[];
  const namesOf = (module: Named | undefined) => ((module?.children ?? []) as Named[]).sort(byName);
  const entries = modules.filter(({ name }) => name !== UNEXPORTED);
  const texts = entries.map((module) => [module.name, namesOf(module).map((one) => text.declaration(one))] as const);
  const used = namesOf(modules.find(({ name }) => name === UNEXPORTED)).filter(({ name }) => !HIDDEN_PARENT.test(name));
  return {
    entries: new Map(texts),
    unexported: namedIn(
      texts.flatMap(([, all]) => all),
      used,
      text,
    ),
    methods: resourceMethods(entries.flatMap(namesOf), text),
    warnings,
  };
}

/** The declarations whose names are in the texts, or in the text of such a declaration. */
function namedIn(texts: readonly string[], all: readonly Named[], text: DeclarationText): string[] {
  const found = new Map<Named, string>();
  const queue = [...texts];
  for (const next of queue) {
    const words = new Set(next.replace(/"[^"]*"/g, "").match(/\b[A-Z]\w*|(?<=typeof )\w+/g));
    for (const one of all.filter((declaration) => words.has(declaration.name) && !found.has(declaration))) {
      found.set(one, text.declaration(one));
      queue.push(found.get(one) ?? "");
    }
  }
  return all.flatMap((one) => found.get(one) ?? []);
}

function resourceMethods(names: readonly Named[], text: DeclarationText): PublicMethod[] {
  const client = names.find(({ name, kind }) => name === "Notetaker" && kind === ReflectionKind.Class);
  return (client?.children ?? []).flatMap((resource) => {
    const type = names.find(({ name }) => name === String(resource.type));
    return (type?.children ?? []).flatMap(({ name, signatures = [] }) => {
      const isBeta = signatures.some(({ comment }) => comment?.getTag("@beta") !== undefined);
      const method = {
        name: `${resource.name}.${name}`,
        signatures: signatures.map((one) => text.signature(one)),
        isBeta,
      };
      return signatures.length === 0 ? [] : [method];
    });
  });
}
