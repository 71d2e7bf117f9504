/** What an editor shows, as the TypeScript language service finds it. */
import { readFileSync } from "node:fs";
import ts from "typescript";

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  types: [],
};

function languageService(program: string): ts.LanguageService {
  return ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [program],
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) =>
      ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, "utf8")) : undefined,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
}

/** The text that an editor shows for each variable of a file, such as `const room: Room`. */
export function quickInfos(file: string, variables: readonly string[]): string[] {
  const service = languageService(file);
  const source = service.getProgram()!.getSourceFile(file)!;
  return variables.map((variable) => {
    const position = source.text.indexOf(` ${variable} = `) + 1;
    return ts.displayPartsToString(service.getQuickInfoAtPosition(file, position)?.displayParts);
  });
}

/** The fields of each variable for which an editor shows no comment where they are used. */
export function undocumentedFields(file: string, variables: readonly string[]): string[] {
  const service = languageService(file);
  const text = readFileSync(file, "utf8");
  return variables.flatMap((variable) => {
    const position = text.indexOf(`${variable}.;`) + variable.length + 1;
    const entries = service.getCompletionsAtPosition(file, position, undefined)?.entries ?? [];
    if (entries.length === 0) return [`${variable} has no fields`];
    return entries.flatMap(({ name }) => {
      const none = undefined;
      const details = service.getCompletionEntryDetails(file, position, name, none, none, none, none);
      return ts.displayPartsToString(details?.documentation).trim() === "" ? [`${variable}.${name}`] : [];
    });
  });
}
