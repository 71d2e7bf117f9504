/**
 * Collects the public names of every entry point. Each has its declaration: the signatures, without bodies or comments.
 */
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface PublicName {
  name: string;
  declaration: string;
}

export interface PublicMethod {
  /** For example `meetings.sendBot`. */
  name: string;
  /** Each overload, without the name. */
  signatures: string[];
  isBeta: boolean;
}

export interface Surface {
  /** By the specifier that users import, for example `notetaker-sdk/node`. */
  entries: Map<string, PublicName[]>;
  /** The types that declarations use but no entry point exports. */
  unexported: PublicName[];
  /** The methods of the client's resources. */
  methods: PublicMethod[];
}

const TYPE_FORMAT = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

const printer = ts.createPrinter({ removeComments: true });
export const print = (node: ts.Node): string =>
  printer
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
    .replace(/^( {4})+/gm, (spaces) => spaces.slice(spaces.length / 2))
    .replace(/\[\s+\]/g, "[]");

const hasTag = (node: ts.Node, tag: string) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === tag);
const marksOf = (node: ts.Node) =>
  ["beta", "deprecated"]
    .filter((tag) => hasTag(node, tag))
    .map((tag) => `// @${tag}\n`)
    .join("");
const indented = (text: string) => text.replace(/^(?=.)/gm, "  ");

const isHidden = (node: ts.ClassElement) =>
  hasTag(node, "internal") ||
  (node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
  (ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(
      ({ kind }) => kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.OverrideKeyword,
    ));

const isStatic = (node: ts.ClassElement) =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);

const parentsOf = (node: ts.InterfaceDeclaration) => node.heritageClauses?.flatMap(({ types }) => [...types]) ?? [];

/** Whether this is `Infer<typeof fields>`. */
const isInferred = ({ expression }: ts.ExpressionWithTypeArguments) => expression.getText() === "Infer";

/** The names that `src/schemas` has for types of strings, by the text of the type. The longest text is first. */
function aliasesIn(files: readonly ts.SourceFile[], checker: ts.TypeChecker): ReadonlyMap<string, string> {
  const found: [text: string, name: string][] = [];
  for (const { fileName, statements } of files) {
    if (!fileName.includes("/src/schemas/")) continue;
    for (const node of statements.filter(ts.isTypeAliasDeclaration)) {
      const type = checker.getTypeAtLocation(node);
      const text = checker.typeToString(type, undefined, TYPE_FORMAT | ts.TypeFormatFlags.InTypeAlias);
      if (node.typeParameters === undefined && /^["`(]/.test(text)) found.push([text, node.name.text]);
    }
  }
  return new Map(found.sort(([left], [right]) => right.length - left.length));
}

/** Writes the declarations of one program. */
export class Writer {
  readonly aliases: ReadonlyMap<string, string>;

  constructor(
    readonly checker: ts.TypeChecker,
    readonly exported: ReadonlySet<ts.Symbol>,
    files: readonly ts.SourceFile[],
  ) {
    this.aliases = aliasesIn(files, checker);
  }

  /** For example `(params?: RoomListParams): PagePromise<Room>`. A parameter with a default is optional. */
  signature(node: ts.SignatureDeclaration): string {
    const typeParameters = node.typeParameters?.map(print).join(", ");
    const parameters = node.parameters.map((parameter) => {
      const { dotDotDotToken, initializer, questionToken, name, type } = parameter;
      const optional = initializer !== undefined || questionToken !== undefined ? "?" : "";
      const shown = ts.isIdentifier(name) ? name.text : "options";
      return `${dotDotDotToken ? "..." : ""}${shown}${optional}: ${type ? print(type) : this.typeOf(parameter)}`;
    });
    const signature = this.checker.getSignatureFromDeclaration(node);
    const result = node.type
      ? print(node.type)
      : signature && this.checker.typeToString(signature.getReturnType(), node, TYPE_FORMAT);
    const end = ts.isConstructorDeclaration(node) ? "" : `: ${result}`;
    return `${typeParameters === undefined ? "" : `<${typeParameters}>`}(${parameters.join(", ")})${end}`;
  }

  typeOf(node: ts.Node): string {
    return this.checker.typeToString(this.checker.getTypeAtLocation(node), node, TYPE_FORMAT);
  }

  member(node: ts.ClassElement): string {
    const prefix = `${marksOf(node)}${isStatic(node) ? "static " : ""}`;
    if (ts.isConstructorDeclaration(node)) return `${prefix}constructor${this.signature(node)};`;
    const name = node.name?.getText() ?? "";
    if (ts.isMethodDeclaration(node)) return `${prefix}${name}${this.signature(node)};`;
    if (ts.isGetAccessorDeclaration(node)) return `${prefix}readonly ${name}${this.signature(node).slice(2)};`;
    if (!ts.isPropertyDeclaration(node)) return "";
    const isReadonly = ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ReadonlyKeyword);
    const type = node.type ? print(node.type) : this.typeOf(node);
    return `${prefix}${isReadonly ? "readonly " : ""}${name}${node.questionToken ? "?" : ""}: ${type};`;
  }

  /** The class that `node` extends, if users cannot import it: its members are shown as those of `node`. */
  hiddenBase(node: ts.ClassDeclaration): ts.ClassDeclaration | undefined {
    const [base] = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types ?? [];
    const symbol = base && this.checker.getTypeAtLocation(base).getSymbol();
    const declaration = symbol?.valueDeclaration;
    if (symbol === undefined || declaration === undefined || this.exported.has(symbol)) return undefined;
    return ts.isClassDeclaration(declaration) ? declaration : undefined;
  }

  /** The public members of a class. If a member has overloads, only the overloads. */
  members(node: ts.ClassDeclaration): ts.ClassElement[] {
    const isImplementation = (one: ts.ClassElement) =>
      (ts.isMethodDeclaration(one) || ts.isConstructorDeclaration(one)) && one.body !== undefined;
    const nameOf = (one: ts.ClassElement) => one.name?.getText() ?? "constructor";
    const overloaded = new Set(
      node.members
        .filter((one) => (ts.isMethodDeclaration(one) || ts.isConstructorDeclaration(one)) && !isImplementation(one))
        .map(nameOf),
    );
    const base = this.hiddenBase(node);
    return [
      ...node.members.filter((one) => !isHidden(one) && !(isImplementation(one) && overloaded.has(nameOf(one)))),
      ...(base === undefined ? [] : this.members(base)),
    ];
  }

  class(node: ts.ClassDeclaration, name: string): string {
    const typeParameters = node.typeParameters === undefined ? "" : `<${node.typeParameters.map(print).join(", ")}>`;
    const clauses = this.hiddenBase(node) === undefined ? (node.heritageClauses ?? []) : [];
    const heritage = clauses.map((clause) => ` ${print(clause).trim()}`).join("");
    const members = this.members(node)
      .map((one) => this.member(one))
      .filter((text) => text !== "");
    return `class ${name}${typeParameters}${heritage} {\n${members.map((text) => `${indented(text)}\n`).join("")}}`;
  }

  /** The fields of an interface that only come from schemas, by `extends Infer<typeof fields>`, in their order. */
  inferredFields(node: ts.InterfaceDeclaration): ts.Symbol[] {
    const others = parentsOf(node).filter((parent) => !isInferred(parent));
    const isInherited = (name: string) =>
      others.some((parent) => this.checker.getTypeAtLocation(parent).getProperty(name) !== undefined);
    return parentsOf(node)
      .filter(isInferred)
      .flatMap((parent) => {
        const [fields] = parent.typeArguments ?? [];
        const type = this.checker.getTypeAtLocation(parent);
        const names = fields === undefined ? [] : this.checker.getTypeAtLocation(fields).getProperties();
        return names.flatMap(({ name }) => (isInherited(name) ? [] : (type.getProperty(name) ?? [])));
      });
  }

  /** The line of an interface before its fields. */
  interfaceHead(node: ts.InterfaceDeclaration, name: string): string {
    const parents = parentsOf(node).filter((parent) => !isInferred(parent));
    const typeParameters = node.typeParameters === undefined ? "" : `<${node.typeParameters.map(print).join(", ")}>`;
    return `interface ${name}${typeParameters}${parents.length === 0 ? "" : ` extends ${parents.map(print).join(", ")}`}`;
  }

  field(symbol: ts.Symbol): string {
    const optional = symbol.flags & ts.SymbolFlags.Optional ? "?" : "";
    return `${symbol.name}${optional}: ${this.fieldType(symbol)};`;
  }

  /** The type of a field, with the names that the source has for types of ids and of enumerations. */
  fieldType(symbol: ts.Symbol): string {
    const text = this.checker.typeToString(this.checker.getTypeOfSymbol(symbol), undefined, TYPE_FORMAT);
    const named = [...this.aliases].reduce((result, [values, name]) => result.replace(values, name), text);
    return named
      .replace(/\((\w+)\)\[\]/, "$1[]")
      .replace(/^(\(string & \{\}\)) \| (.*?)( \| undefined)?$/, "$2 | $1$3");
  }

  interface(node: ts.InterfaceDeclaration, name: string): string {
    const fields = [...this.inferredFields(node).map((one) => this.field(one)), ...node.members.map(print)];
    return `${this.interfaceHead(node, name)} {\n${fields.map((field) => `${indented(field)}\n`).join("")}}`;
  }

  /** The strings of a type such as `(typeof SCOPES)[number]`, as an editor shows them. */
  values({ type: node }: ts.TypeAliasDeclaration): string | undefined {
    if (!print(node).startsWith("(typeof ")) return undefined;
    const type = this.checker.getTypeAtLocation(node);
    const values = (type.isUnion() ? type.types : [type]).map((one) => (one.isStringLiteral() ? `"${one.value}"` : ""));
    return values.includes("") ? undefined : values.join(" | ");
  }

  declaration(node: ts.Declaration, name: string): string {
    if (ts.isClassDeclaration(node)) return marksOf(node) + this.class(node, name);
    if (ts.isFunctionDeclaration(node)) return `${marksOf(node)}function ${name}${this.signature(node)};`;
    if (ts.isVariableDeclaration(node)) {
      const type = node.type ? print(node.type) : this.typeOf(node);
      return `${marksOf(node)}const ${name}: ${type};`;
    }
    if (ts.isInterfaceDeclaration(node) && parentsOf(node).some(isInferred)) {
      return marksOf(node) + this.interface(node, name);
    }
    const values = ts.isTypeAliasDeclaration(node) ? this.values(node) : undefined;
    if (values !== undefined) return `${marksOf(node)}type ${name} = ${values};`;
    return marksOf(node) + print(node).replace(/^(export |declare )*/, "");
  }
}

/** The declarations of a symbol, without the implementation of an overloaded function. */
const shownDeclarations = (symbol: ts.Symbol) => {
  const all = symbol.declarations ?? [];
  const hasOverloads = all.some((node) => ts.isFunctionDeclaration(node) && node.body === undefined);
  return all.filter((node) => !(hasOverloads && ts.isFunctionDeclaration(node) && node.body !== undefined));
};

/** The import specifier of an entry point: `src/node/index.ts` is `notetaker-sdk/node`. */
const importName = (path: string) => {
  const folder = /^src\/(\w+)\/index\.ts$/.exec(path)?.[1];
  return folder === undefined ? "notetaker-sdk" : `notetaker-sdk/${folder}`;
};

export function publicSurface(): Surface {
  const { entryPoints } = JSON.parse(readFileSync(join(root, "typedoc.json"), "utf8")) as { entryPoints: string[] };
  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    entryPoints.map((path) => join(root, path)),
    { ...options, noEmit: true },
  );
  const checker = program.getTypeChecker();
  const exported = new Set<ts.Symbol>();
  const writer = new Writer(checker, exported, program.getSourceFiles());
  const resolved = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  const exportsOf = (path: string) =>
    checker.getExportsOfModule(
      checker.getSymbolAtLocation(program.getSourceFile(join(root, path)) as ts.Node) as ts.Symbol,
    );
  for (const path of entryPoints) for (const symbol of exportsOf(path)) exported.add(resolved(symbol));
  const entries = new Map<string, PublicName[]>();
  for (const path of entryPoints) {
    const names = exportsOf(path).map((symbol) => {
      const declaration = shownDeclarations(resolved(symbol)).map((node) => writer.declaration(node, symbol.name));
      return { name: symbol.name, declaration: declaration.join("\n") };
    });
    entries.set(importName(path), names.sort(byName));
  }
  return {
    entries,
    unexported: unexportedNames(writer, exported, resolved),
    methods: resourceMethods(program, writer),
  };
}

const byName = (a: PublicName, b: PublicName) => (a.name < b.name ? -1 : 1);

/** The types of `src` that the public declarations use, directly or through other types, and that are not exported. */
function unexportedNames(writer: Writer, exported: Set<ts.Symbol>, resolved: (symbol: ts.Symbol) => ts.Symbol) {
  const found = new Map<ts.Symbol, PublicName>();
  const seen = new Set<ts.Symbol>();
  const queue = [...exported];
  const isOurs = (symbol: ts.Symbol) =>
    symbol.declarations?.some((node) => relative(root, node.getSourceFile().fileName).startsWith("src")) ?? false;
  const visitType = (nullable: ts.Type): void => {
    const type = writer.checker.getNonNullableType(nullable);
    const symbol = type.aliasSymbol ?? type.getSymbol();
    // A type without a name, such as that of a function.
    if (symbol?.name.startsWith("__")) symbol.declarations?.forEach(visit);
    else if (symbol !== undefined) queue.push(symbol);
    if (type.aliasSymbol === undefined && type.isUnion()) for (const part of type.types) visitType(part);
    for (const argument of writer.checker.getTypeArguments(type as ts.TypeReference)) visitType(argument);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) return;
    if (ts.isClassDeclaration(node) && writer.hiddenBase(node) !== undefined) {
      for (const member of writer.members(node)) visit(member);
      return;
    }
    if (ts.isClassElement(node) && isHidden(node)) return;
    if (ts.isExpressionWithTypeArguments(node) && isInferred(node)) return;
    if (ts.isInterfaceDeclaration(node)) {
      for (const field of writer.inferredFields(node)) visitType(writer.checker.getTypeOfSymbol(field));
    }
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node) || ts.isTypeQueryNode(node)) {
      const name = ts.isTypeReferenceNode(node)
        ? node.typeName
        : ts.isTypeQueryNode(node)
          ? node.exprName
          : node.expression;
      const symbol = writer.checker.getSymbolAtLocation(name);
      if (symbol !== undefined) queue.push(resolved(symbol));
    }
    ts.forEachChild(node, visit);
  };
  for (let symbol = queue.shift(); symbol !== undefined; symbol = queue.shift()) {
    // `typeof module` names a whole source file.
    const isSkipped = symbol.flags & (ts.SymbolFlags.TypeParameter | ts.SymbolFlags.Module);
    if (seen.has(symbol) || !isOurs(symbol) || isSkipped) continue;
    seen.add(symbol);
    for (const node of shownDeclarations(symbol)) {
      // The type of such a variable is written out, so its value is not searched.
      if (ts.isVariableDeclaration(node)) {
        if (node.type !== undefined) visit(node.type);
      } else visit(node);
    }
    if (exported.has(symbol)) continue;
    const { name } = symbol;
    const declaration = shownDeclarations(symbol).map((node) => writer.declaration(node, name));
    found.set(symbol, { name, declaration: declaration.join("\n") });
  }
  return [...found.values()].sort((a, b) => byName(a, b) || (a.declaration < b.declaration ? -1 : 1));
}

function resourceMethods(program: ts.Program, writer: Writer): PublicMethod[] {
  const methods: PublicMethod[] = [];
  const folder = join(root, "src/resources/");
  for (const source of program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder))) {
    for (const node of source.statements.filter(ts.isClassDeclaration)) {
      const resource = (node.name?.text ?? "").toLowerCase();
      for (const member of writer.members(node).filter(ts.isMethodDeclaration)) {
        const name = `${resource}.${member.name.getText()}`;
        const known = methods.find((one) => one.name === name);
        if (known !== undefined) known.signatures.push(writer.signature(member));
        else {
          methods.push({ name, signatures: [writer.signature(member)], isBeta: hasTag(member, "beta") });
        }
      }
    }
  }
  return methods;
}
