/** The files, the licences and the manifest of the packed tarball. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { expect, inject, test } from "vitest";
import { root } from "../support/run-program.js";

const installed = inject("installed");
const folder = join(installed, "node_modules/notetaker-sdk");
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) =>
    join(parentPath, name)
      .slice(folder.length + 1)
      .replaceAll("\\", "/"),
  );
const inDist = files.filter((path) => path.startsWith("dist/"));
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The packages of others whose code is in the build; some come inside the protocol's server package. */
const BUNDLED = [
  "@modelcontextprotocol/core",
  "@modelcontextprotocol/server",
  "ajv",
  "ajv-formats",
  "content-type",
  "eventsource-parser",
  "fast-deep-equal",
  "fast-uri",
  "json-schema-traverse",
  "ky",
  "zod",
];

test("the tarball contains no source maps, no build records and no tests", () => {
  expect(inDist.filter((path) => !/^dist\/[\w/.-]+(?<!\.test)\.(d\.ts|d\.cts|js|cjs)$/.test(path))).toEqual([]);
  const others = files.filter((path) => !inDist.includes(path) && !/^(docs|examples|skills)\//.test(path));
  expect(others.filter((path) => !/^[\w-]+\.(md|txt|json)$|^LICENSE$/.test(path))).toEqual([]);
  // What guides show of the repository, without what starts it in a clone. An application has its tests.
  expect(files.filter((path) => /node_modules|examples\/support\/many|docs\/index\.md/.test(path))).toEqual([]);
});

test("the application in the tarball depends on the version of this package", () => {
  const application = JSON.parse(readFileSync(join(folder, "examples/web-app/package.json"), "utf8"));
  expect(application.dependencies["notetaker-sdk"]).toBe(`^${manifest.version}`);
});

test("the tarball has at most 750 files, and takes at most 6 MiB of a disk", () => {
  const blocks = files.map((path) => Math.ceil(statSync(join(folder, path)).size / 4096));
  const mebibytes = blocks.reduce((sum, count) => sum + count, 0) / 256;
  expect(files.length).toBeLessThanOrEqual(750);
  expect(mebibytes).toBeLessThanOrEqual(6);
});

test("a packed page links to no file, and shows no picture, that the tarball lacks", () => {
  const pages = files.filter((path) => /^(docs\/.*|[^/]+)\.(md|txt)$/.test(path));
  const dead = pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), "utf8").replace(/^```[\s\S]*?^```$|`[^`\n]*`/gm, "");
    const links = [...text.matchAll(/\]\(([^)#\s]+)|<img src="([^"]+)/g)].map(
      ([, link, picture]) => link ?? picture ?? "",
    );
    return links.filter((link) => !/^\w+:/.test(link) && !existsSync(join(folder, dirname(page), link)));
  });
  expect(pages.length).toBeGreaterThan(40);
  expect(dead).toEqual([]);
});

test("npm does not correct the manifest when it publishes", () => {
  const copy = join(installed, "manifest");
  mkdirSync(copy);
  copyFileSync(join(root, "package.json"), join(copy, "package.json"));
  execFileSync("npm", ["pkg", "fix"], { cwd: copy, stdio: "ignore", shell: process.platform === "win32" });
  expect(JSON.parse(readFileSync(join(copy, "package.json"), "utf8"))).toEqual(
    JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
  );
});

test("the notices contain the licence of each bundled package, and no other", () => {
  const notices = readFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
  const packages = [...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm)];
  expect(packages.map(([, name]) => name)).toEqual(BUNDLED);
  for (const [, name, version] of packages) {
    const bundled = join(root, "node_modules", name!);
    const licence = readdirSync(bundled).find((file) => /^licen[cs]e/i.test(file))!;
    expect(version).toBe(JSON.parse(readFileSync(join(bundled, "package.json"), "utf8")).version);
    expect(notices).toContain(readFileSync(join(bundled, licence), "utf8").trim());
  }
});

test("a package that is imported is a dependency, an optional peer or a Node module", () => {
  const allowed = new Set([
    ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    ...builtinModules.map((name) => `node:${name}`),
  ]);
  // The protocol's validator contains code as text, with imports that are never run.
  const isOurs = (path: string) => /\.c?js$/.test(path) && !path.endsWith("mcp-protocol.js");
  for (const file of inDist.filter(isOurs)) {
    const code = readFileSync(join(folder, file), "utf8");
    for (const [, from] of code.matchAll(
      /(?:^(?:import|export)[^'"(]*|\brequire\(|\bimport\()["']([^.'"][^'"]*)["']/gm,
    )) {
      const [scope, name] = from!.split("/");
      const source = from!.startsWith("@") ? `${scope}/${name}` : scope!;
      expect(allowed, `${file} imports ${from}`).toContain(source);
    }
  }
});

function loadedWith(entry: string, build: string, extension: string): Map<string, string> {
  const loaded = new Map<string, string>();
  const visit = (file: string) => {
    if (loaded.has(file)) return;
    const code = readFileSync(file, "utf8");
    loaded.set(file, code);
    for (const [, next] of code.matchAll(/(?:from |^import |^var [^(]*\brequire\()["'](\.[^"']+)["']/gm))
      visit(join(dirname(file), next!));
  };
  visit(join(folder, "dist", build, `${entry}index.${extension}`));
  return loaded;
}

const BUILDS = [
  ["esm", "js"],
  ["node", "js"],
  ["cjs", "cjs"],
] as const;

test.each(BUILDS)("Node modules are loaded only by the entry points for Node, in dist/%s", (build, extension) => {
  for (const entry of ["", "transcript/", "webhooks/", "redis/", "browser/", "testing/"]) {
    const loaded = loadedWith(entry, build, extension);
    expect(loaded.size).toBeGreaterThan(1);
    for (const [file, code] of loaded) {
      // Imports when the file is loaded. The emulator's listen() imports node:http only when it is called.
      expect(code, `${file}, reached from ${entry}index`).not.toMatch(/^(?:import[^(]*|var .*\brequire\()["']node:/m);
      // Babel translates Unicode classes only in literals, and React Native's Hermes knows none.
      expect(code, file).not.toContain("\\\\p{");
    }
  }
});

test("no bundle of an entry point exceeds its limit, or is so far below that the guides show a wrong size", () => {
  const { stdout } = spawnSync("npx", ["size-limit", "--json"], { cwd: root, encoding: "utf8" });
  const sizes = JSON.parse(stdout) as { name: string; passed: boolean; size: number; sizeLimit: number }[];
  const slack = ({ size, sizeLimit }: { size: number; sizeLimit: number }) => sizeLimit - size;
  const wrong = sizes.filter((of) => !of.passed || slack(of) > Math.max(100, of.sizeLimit / 10));
  expect(sizes.length).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

test.each([
  ["publint", ["--strict"], "All good!"],
  ["attw", ["--format", "ascii"], "No problems found"],
])("%s finds nothing in the tarball", (command, options, verdict) => {
  const { stdout, status } = spawnSync("npx", [command, inject("tarball"), ...options], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stdout).toContain(verdict);
  expect(status).toBe(0);
});
