/**
 * The statements of docs/versioning.md about deprecations: editors strike a deprecated name through. No public name is
 * deprecated yet, so the tests build a small library in the same way as the package.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { root } from "../support/run-program.js";
import { struckThrough } from "../support/undocumented.js";

const project = inject("installed");
const library = join(project, "node_modules/deprecating");

const SOURCES = {
  "index.ts": `
    export { lists } from "./lists.js";
    export type { Options } from "./lists.js";
  `,
  "lists.ts": `
    export interface Options {
      /** How many at most. */
      limit?: number;
      /** @deprecated Use \`limit\`. */
      size?: number;
    }
    class Lists {
      /** The rows. */
      rows(options: Options): number[];
      /** @deprecated Give options. */
      rows(options: number): number[];
      rows(options: Options | number): number[] {
        return [typeof options === "number" ? options : (options.limit ?? 0)];
      }
      /**
       * The rows, one by one.
       *
       * @deprecated Use \`rows\`.
       */
      each(): number[] {
        return this.rows({ limit: 1 });
      }
    }
    export const lists = new Lists();
  `,
};

const PROGRAM = `
  import { lists, type Options } from "deprecating";
  export const fine = [lists.rows({ limit: 1 })];
  const options: Options = { limit: 1 };
  export const old = [lists.each(), lists.rows(3), options.size];
`;

beforeAll(() => {
  mkdirSync(join(library, "src"), { recursive: true });
  for (const [name, source] of Object.entries(SOURCES)) writeFileSync(join(library, "src", name), source);
  const manifest = {
    name: "deprecating",
    type: "module",
    exports: {
      import: { types: "./dist/index.d.ts", default: "./dist/index.js" },
      require: { types: "./dist/index.d.cts", default: "./dist/index.cjs" },
    },
  };
  writeFileSync(join(library, "package.json"), JSON.stringify(manifest));
  const tsconfig = {
    extends: join(root, "tsconfig.build.json"),
    compilerOptions: { rootDir: "src", types: [] },
    include: ["src"],
    exclude: [],
  };
  writeFileSync(join(library, "tsconfig.json"), JSON.stringify(tsconfig));
  const build = `
    import { writeDeclarations } from ${JSON.stringify(join(root, "scripts/build/declarations.ts"))};
    writeDeclarations(${JSON.stringify(join(library, "tsconfig.json"))}, ["index"], ${JSON.stringify(join(library, "dist"))});
  `;
  execFileSync("npx", ["tsx", "--input-type=module", "--eval", build], { cwd: root, stdio: "inherit" });
});
afterAll(() => rmSync(library, { recursive: true, force: true }));

describe("a name with @deprecated in the source", () => {
  it.each([
    ["an ES module", "deprecated.mts"],
    ["a CommonJS module", "deprecated.cts"],
  ])("is struck through in %s of a user, and other names are not", (_, name) => {
    writeFileSync(join(project, name), PROGRAM);
    expect(struckThrough(join(project, name))).toEqual(["each", "rows", "size"]);
  });
});

it("no public name is deprecated, as docs/versioning.md says", () => {
  const guide = readFileSync(join(root, "docs/versioning.md"), "utf8").replace(/\s+/g, " ");
  expect(guide).toContain("No public name is deprecated today.");
  const dist = join(project, "node_modules/notetaker-sdk/dist");
  const declarations = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".d.ts"),
  );
  expect(declarations.length).toBeGreaterThan(50);
  const deprecating = declarations.filter((path) => readFileSync(join(dist, path), "utf8").includes("@deprecated"));
  expect(deprecating).toEqual([]);
});
