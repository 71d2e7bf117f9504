/** The types of the packed package, with `skipLibCheck` off: in each resolution mode, and with the oldest compiler. */
import { mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import * as sdk from "notetaker-sdk";
import { expect, inject, test } from "vitest";
import { compile } from "../support/compile.js";
import { libraryOfMembers } from "../support/public-members.js";
import { root } from "../support/run-program.js";

const PROGRAM = readFileSync(join(root, "scripts/types-versions/program.ts"), "utf8");

test.each([
  ["node16", "module", "program.ts"],
  ["node16", "commonjs", "program.ts"],
  ["nodenext", "commonjs", "program.cts"],
  ["esnext", "module", "program.ts"],
] as const)("compile with module %s in a %s package (%s)", (module, type, file) => {
  const options = { module, moduleResolution: module === "esnext" ? "bundler" : module };
  expect(compile({ [file]: PROGRAM }, options, { type })).toBe("");
});

test("compile with TypeScript 5.4", () => {
  expect(compile({ "program.ts": PROGRAM }, { module: "nodenext" }, { compiler: "typescript54" })).toBe("");
});

/** The oldest and the newest; every week, those between them (`scripts/types-versions.ts`). */
const COMPILERS = ["typescript54", "typescript7"];

test.each(COMPILERS)(
  "name the type and the right name of a misspelt parameter or option in one line with %s",
  (compiler) => {
    const calls = [
      ["rooms.list({ limt: 3 })", "RoomListParams<[]>", "limit"],
      ['rooms.get("room_1", { expnd: [] })', "RoomGetParams<[]>", "expand"],
      ["meetings.list({ limt: 3 })", "MeetingListParams<[]>", "limit"],
      ['meetings.get("mtg_1", { expnd: [] })', "MeetingGetParams<[]>", "expand"],
      ['documents.get("doc_1", { formt: "docx" })', "DocumentGetParams<undefined>", "format"],
      ['documents.find("mtg_1", "summary", { formt: "docx" })', "DocumentGetParams<undefined>", "format"],
      ['meetings.waitForDocument("mtg_1", "summary", { formt: "docx" })', "WaitOptions & Docu", "format"],
      ['meetings.sendBot({ meeting_ul: "" })', "SendBotParams", "meeting_url"],
      ['permissions.list("mtg_1", { limt: 3 })', "PermissionListParams", "limit"],
      ["webhooks.list({ timeoutMS: 5 })", "RequestOptions", "timeoutMs"],
      ["withOptions({ tokn: '' })", "ClientOptions", "token"],
    ] as const;
    const program = calls.map(([call]) => `void new Notetaker().${call};`);
    const text = ['import { Notetaker } from "notetaker-sdk";', ...program].join("\n");
    const lines = compile({ "program.ts": text }, { module: "nodenext" }, { compiler }).trim().split("\n");
    expect(lines).toHaveLength(calls.length + 1);
    for (const [index, [, type, parameter]] of calls.entries()) {
      expect(lines[index]).toContain(`program.ts(${index + 2},`);
      expect(lines[index]).toContain(` does not exist in type '${type}`);
      expect(lines[index]).toMatch(new RegExp(` Did you mean to write '${parameter}'\\?$`));
      expect(lines[index]!.length).toBeLessThan(300);
    }
  },
);

const SCHEMAS = Object.keys(sdk).filter((name) => name.endsWith("Schema"));
/** A library with declarations of its own. */
const LIBRARY_FILES = {
  "re-exports-schemas.ts": `
    import * as sdk from "notetaker-sdk";
    ${SCHEMAS.map((name) => `export const own_${name} = sdk.${name};`).join("\n")}
  `,
  "names-results-with-expansions-and-arguments.ts": `
    import { parseMeetingLink } from "notetaker-sdk";
    import type { MeetingExpansion, MeetingGetParams, Notetaker, RoomExpansion, RoomGetParams } from "notetaker-sdk";
    export const room = <const E extends readonly RoomExpansion[]>(notetaker: Notetaker, params: RoomGetParams<E>) =>
      notetaker.rooms.get("room_1", params);
    export const meeting = <const E extends readonly MeetingExpansion[]>(notetaker: Notetaker, params: MeetingGetParams<E>) =>
      notetaker.meetings.get("mtg_1", params);
    type Find = Notetaker["documents"]["find"];
    export const find = (notetaker: Notetaker, ...args: Parameters<Find>) => notetaker.documents.find(...args);
    export const parse = (...args: Parameters<typeof parseMeetingLink>) => parseMeetingLink(...args);
  `,
};

test.each(COMPILERS)(
  "compile in a library with %s that re-exports schemas, and names results with expansions, and arguments",
  (compiler) => {
    expect(SCHEMAS.length).toBeGreaterThan(22);
    expect(compile(LIBRARY_FILES, { module: "nodenext", declaration: true }, { compiler })).toBe("");
  },
);

test("name every type that a library needs to export what it gets from any function, method or property", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { exports: object };
  const entryPoints = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  const library = libraryOfMembers(inject("installed"), entryPoints);
  expect(library.match(/^export/gm)?.length).toBeGreaterThan(1_000);
  // The types of @opentelemetry/api are not installed.
  const options = { module: "nodenext", declaration: true, skipLibCheck: true };
  expect(compile({ "library.ts": library }, options)).toBe("");
});

test("compile in a Node project without the DOM library", () => {
  const types = join(inject("installed"), "node_modules/@types");
  rmSync(types, { recursive: true, force: true });
  mkdirSync(types, { recursive: true });
  symlinkSync(join(root, "node_modules/@types/node"), join(types, "node"));
  expect(compile({ "program.ts": PROGRAM }, { module: "nodenext", lib: ["es2022"], types: ["node"] })).toBe("");
});

const LIBRARY = `
  import type { ApiError, ApiPromise, Notetaker, NotetakerLike, Page, PagePromise, Room, Webhooks } from "notetaker-sdk";
  export declare function summarize(notetaker: Notetaker): Promise<void>;
  export declare function loosely(notetaker: NotetakerLike): Promise<void>;
  export declare function show(page: Page<Room>, list: PagePromise<Room>, call: ApiPromise<Room>): void;
  export declare function subscribe(webhooks: Webhooks): void;
  export declare function report(error: ApiError): void;
`;
const USE = `
  const notetaker = new Notetaker();
  export const list = async () => show(await notetaker.rooms.list(), notetaker.rooms.list(), notetaker.rooms.get("room_1"));
  void summarize(notetaker);
  void loosely(notetaker);
  subscribe(notetaker.webhooks);
  report(new ApiError({ message: "no" }));
`;

test("a CommonJS library accepts what an ES module creates, and the reverse", () => {
  const files = {
    "library.cts": LIBRARY,
    "app.mts": `
      import { ApiError, Notetaker } from "notetaker-sdk";
      import { loosely, report, show, subscribe, summarize } from "./library.cjs";
      ${USE}`,
    "library.mts": LIBRARY,
    // A CommonJS file may import only the types of an ES module.
    "app.cts": `
      import { ApiError, Notetaker } from "notetaker-sdk";
      declare const library: typeof import("./library.mjs", { with: { "resolution-mode": "import" } });
      const { loosely, report, show, subscribe, summarize } = library;
      ${USE}`,
  };
  expect(compile(files, { module: "nodenext" })).toBe("");
});
