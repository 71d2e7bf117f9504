/**
 * The types of two copies of the package in one program are compatible: a CommonJS library in an ESM application, and
 * the reverse.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, inject, test } from "vitest";

const LIBRARY = `
  import type { ApiError, ApiPromise, Notetaker, NotetakerLike, Page, PagePromise, Room, Webhooks } from "notetaker-sdk";
  export declare function summarize(notetaker: Notetaker): Promise<void>;
  export declare function loosely(notetaker: NotetakerLike): Promise<void>;
  export declare function show(page: Page<Room>, list: PagePromise<Room>, call: ApiPromise<Room>): void;
  export declare function subscribe(webhooks: Webhooks): void;
  export declare function report(error: ApiError): void;
`;
const APP = (library: string) => `
  import { ApiError, Notetaker } from "notetaker-sdk";
  import { loosely, report, show, subscribe, summarize } from "${library}";
  const notetaker = new Notetaker();
  void summarize(notetaker);
  void loosely(notetaker);
  show(await notetaker.rooms.list(), notetaker.rooms.list(), notetaker.rooms.get("room_1"));
  subscribe(notetaker.webhooks);
  report(new ApiError("no"));
`;

test.each([
  ["library.cts", "app.mts"],
  ["library.mts", "app.cts"],
])("the types of %s accept the values that %s creates", (library, app) => {
  const folder = inject("installed");
  const write = (name: string, source: string) => {
    writeFileSync(join(folder, name), source);
    return join(folder, name);
  };
  const source = APP(`./${library.replace("ts", "js")}`);
  const files = [write(library, LIBRARY), write(app, app.endsWith(".cts") ? inAsync(source) : source)];
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    strict: true,
    noEmit: true,
    types: [],
  });
  const problems = ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => files.includes(file?.fileName ?? ""))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect(problems).toEqual([]);
});

/** CommonJS has no top-level \`await\`. A CommonJS file may import only the types of an ESM file. */
function inAsync(source: string): string {
  return source
    .replace(
      /import \{ loosely(.*?)\} from "(.*?)";/,
      'type Library = typeof import("$2", { with: { "resolution-mode": "import" } });\n  declare const library: Library;\n  const { loosely$1} = library;',
    )
    .replace("show(await notetaker.rooms.list(),", "void notetaker.rooms.list().then((page) => show(page,")
    .replace('notetaker.rooms.get("room_1"));', 'notetaker.rooms.get("room_1")));');
}
