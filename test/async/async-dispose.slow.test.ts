/** The type of what `await using` closes. */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

it("the member for `await using` is declared by its name, else typescript-eslint reports each `await using`", () => {
  const file = fileURLToPath(new URL("../../src/async/symbols.ts", import.meta.url));
  const program = ts.createProgram([file], { target: ts.ScriptTarget.ES2022, strict: true, types: [] });
  const declared = program
    .getSourceFile(file)
    ?.statements.find(
      (statement) => "name" in statement && (statement.name as ts.Identifier).text === "AsyncDisposeMember",
    );
  const type = program.getTypeChecker().getTypeAtLocation(declared!);
  // The rule await-thenable looks for the symbol at the name of the declaration.
  const [member] = type.getProperties().filter(({ name }) => name.startsWith("__@asyncDispose"));
  const name = member?.valueDeclaration && ts.getNameOfDeclaration(member.valueDeclaration);
  expect(name?.getText(program.getSourceFile(file))).toBe("[Symbol.asyncDispose]");
});
