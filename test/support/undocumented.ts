/** Uses the TypeScript language service to find what an editor shows for each public member. */
import { readFileSync } from "node:fs";
import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  types: [],
};

function languageService(files: readonly string[]): ts.LanguageService {
  return ts.createLanguageService({
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [...files],
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) =>
      ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, "utf8")) : undefined,
    getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
}

/** The place in the package's files where a symbol is declared. */
function nameOf(symbol: ts.Symbol, folder: string): ts.Node | undefined {
  for (const declaration of symbol.declarations ?? []) {
    if (!declaration.getSourceFile().fileName.startsWith(folder)) continue;
    const name = ts.getNameOfDeclaration(declaration);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The names of public members below `folder` for which an editor shows no comment, in these entry points. */
export function undocumentedMembers(entries: readonly string[], folder: string): string[] {
  const service = languageService(entries);
  const program = service.getProgram()!;
  const checker = program.getTypeChecker();
  const undocumented = new Set<string>();
  const visited = new Set<ts.Type>();

  const documents = (symbol: ts.Symbol): boolean => {
    const name = nameOf(symbol, folder);
    if (name === undefined) return true;
    const place = ts.isComputedPropertyName(name) ? name.expression : name;
    const info = service.getQuickInfoAtPosition(place.getSourceFile().fileName, place.getStart());
    return ts.displayPartsToString(info?.documentation).trim() !== "" || (info?.tags ?? []).length > 0;
  };

  const visitSignatures = (type: ts.Type, path: string) => {
    for (const signature of [...type.getCallSignatures(), ...type.getConstructSignatures()]) {
      if (signature.getJsDocTags().some(({ name }) => name === "internal")) continue;
      for (const parameter of signature.getParameters()) {
        const declaration = parameter.valueDeclaration;
        if (declaration !== undefined)
          visit(checker.getTypeOfSymbolAtLocation(parameter, declaration), `${path}(${parameter.name})`);
      }
      visit(signature.getReturnType(), `${path}()`);
    }
  };

  const visit = (type: ts.Type, path: string): void => {
    if (visited.has(type)) return;
    visited.add(type);
    if (type.isUnionOrIntersection()) for (const part of type.types) visit(part, path);
    for (const argument of checker.getTypeArguments(type as ts.TypeReference)) visit(argument, path);
    visitSignatures(type, path);
    const owner = type.aliasSymbol?.name ?? type.symbol?.name ?? "";
    const prefix = owner === "" || owner.startsWith("__") ? path : owner;
    for (const member of type.getProperties()) {
      const name = nameOf(member, folder);
      if (name === undefined || member.name.startsWith("__")) continue;
      if (!documents(member)) undocumented.add(`${prefix}.${member.name}`);
      visit(checker.getTypeOfSymbolAtLocation(member, name), `${prefix}.${member.name}`);
    }
  };

  for (const entry of entries) {
    const file = program.getSourceFile(entry)!;
    for (const exported of checker.getExportsOfModule(checker.getSymbolAtLocation(file)!)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      if (!documents(symbol)) undocumented.add(exported.name);
      const name = nameOf(symbol, folder);
      if (name === undefined) continue;
      if (symbol.flags & ts.SymbolFlags.Type) visit(checker.getDeclaredTypeOfSymbol(symbol), exported.name);
      const isTypeOnly = exported.declarations?.some(
        (node) => ts.isExportSpecifier(node) && (node.isTypeOnly || node.parent.parent.isTypeOnly),
      );
      if (symbol.flags & ts.SymbolFlags.Value && !isTypeOnly)
        visit(checker.getTypeOfSymbolAtLocation(symbol, name), exported.name);
    }
  }
  return [...undocumented].sort();
}

/** The text that an editor shows for each variable of a file, such as `const room: Room`. */
export function quickInfos(file: string, variables: readonly string[]): string[] {
  const service = languageService([file]);
  const source = service.getProgram()!.getSourceFile(file)!;
  return variables.map((variable) => {
    const position = source.text.indexOf(` ${variable} = `) + 1;
    return ts.displayPartsToString(service.getQuickInfoAtPosition(file, position)?.displayParts);
  });
}

/** The fields of each variable for which an editor shows no comment where they are used. */
export function undocumentedFields(file: string, variables: readonly string[]): string[] {
  const service = languageService([file]);
  const text = readFileSync(file, "utf8");
  return variables.flatMap((variable) => {
    const position = text.indexOf(`${variable}.;`) + variable.length + 1;
    const entries = service.getCompletionsAtPosition(file, position, undefined)?.entries ?? [];
    if (entries.length === 0) return [`${variable} has no fields`];
    return entries.flatMap(({ name }) => {
      const details = service.getCompletionEntryDetails(
        file,
        position,
        name,
        undefined,
        undefined,
        undefined,
        undefined,
      );
      return ts.displayPartsToString(details?.documentation).trim() === "" ? [`${variable}.${name}`] : [];
    });
  });
}
