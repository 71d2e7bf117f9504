/** Writes libraries that use whatever the declarations of the installed package let users reach. */
import { join } from "node:path";
import ts from "typescript";

const PACKAGE = "node_modules/notetaker-sdk";

/**
 * A library with one export for each public function, method and property of the entry points. The compiler infers the
 * type of each, and has to name it in the declarations of the library.
 */
export function libraryOfMembers(folder: string, entryPoints: readonly string[]): string {
  const files = entryPoints.map((path) => join(folder, PACKAGE, "dist/types", path, "index.d.ts"));
  const program = ts.createProgram(files, { module: ts.ModuleKind.NodeNext, strict: true });
  const checker = program.getTypeChecker();
  const lines = entryPoints.flatMap((path, index) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(files[index]!)!)!;
    const exported = checker.getExportsOfModule(module).flatMap((symbol) => exportsOf(checker, symbol, `sdk${index}`));
    return [`import * as sdk${index} from "${join("notetaker-sdk", path)}";`, ...exported];
  });
  return lines.join("\n");
}

function exportsOf(checker: ts.TypeChecker, exported: ts.Symbol, module: string): string[] {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const declarations = symbol.declarations ?? [];
  const label = `${module}_${exported.name}`;
  const path = `${module}.${exported.name}`;
  if (declarations.some(ts.isFunctionDeclaration)) return [functionFor(label, "", path, `typeof ${path}`)];
  if (declarations.some(ts.isVariableDeclaration)) return [`export const ${label} = ${path};`];
  const type = `${path}${typeArguments(declarations)}`;
  const properties = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
  return properties
    .filter(({ name, declarations: found }) => /^[a-z]\w*$/i.test(name) && found?.some(isOurs))
    .map(({ name, flags }) => {
      const isMethod = (flags & ts.SymbolFlags.Method) !== 0 && (flags & ts.SymbolFlags.Optional) === 0;
      if (isMethod) return functionFor(`${label}_${name}`, `own: ${type}, `, `own.${name}`, `${type}["${name}"]`);
      return `export const ${label}_${name} = (own: ${type}) => own.${name};`;
    });
}

const functionFor = (label: string, parameter: string, called: string, type: string) =>
  `export function ${label}(${parameter}...args: Parameters<${type}>) { return ${called}(...args); }`;

/** `any` for each type parameter without a default. */
function typeArguments(declarations: readonly ts.Declaration[]): string {
  const parameters = declarations.flatMap((node) => (node as ts.InterfaceDeclaration).typeParameters ?? []);
  const required = parameters.filter((parameter) => parameter.default === undefined);
  return required.length === 0 ? "" : `<${required.map(() => "any").join(", ")}>`;
}

const isOurs = (declaration: ts.Declaration) => declaration.getSourceFile().fileName.includes(PACKAGE);
