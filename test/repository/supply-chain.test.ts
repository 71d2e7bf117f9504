/** The packages that are installed: by developers of the library, and by its users. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/run-program.js";

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const read = (path: string) => readFileSync(join(root, path), "utf8");
type Packages = Record<string, LockedPackage>;
const packagesOf = (lock: string) => (JSON.parse(read(lock)) as { packages: Packages }).packages;
const packages = packagesOf("package-lock.json");
const installed = Object.entries(packages).filter(([path]) => path !== "");
const manifest = JSON.parse(read("package.json")) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
};

/** Where the package at `path` finds `name`, as Node resolves it: in its own folder, then in the parent folders. */
function placeOf(name: string, path: string, among: Packages = packages): string | undefined {
  const folders = path === "" ? [] : path.split(/\/(?=node_modules\/)/);
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const place = [...folders.slice(0, depth), `node_modules/${name}`].join("/");
    if (among[place] !== undefined) return place;
  }
  return undefined;
}

/** npm also uses this registry if the lock names no URL. */
const REGISTRY = "https://registry.npmjs.org/";

describe("the lock file", () => {
  it("names each package from the registry with its SHA-512", () => {
    expect(installed.length).toBeGreaterThan(500);
    const wrong = installed.filter(
      ([, { resolved, integrity, link, inBundle }]) =>
        !link && !inBundle && !((resolved ?? REGISTRY).startsWith(REGISTRY) && integrity?.startsWith("sha512-")),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
  });

  it.each(["package-lock.json", "site/package-lock.json"])(
    "%s contains the optional packages of every platform, so that npm ci works on each platform",
    (lock) => {
      const locked = packagesOf(lock);
      const named = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).map((name) => ({ path, name })),
      );
      expect(named.length).toBeGreaterThan(10);
      const missing = named.filter(({ path, name }) => placeOf(name, path, locked) === undefined);
      expect(missing.map(({ path, name }) => `${path} → ${name}`)).toEqual([]);
    },
  );
});

describe("the installed package", () => {
  /** The package's dependencies, and the dependencies of these. */
  function reached(): string[] {
    const places = new Set<string>();
    const pending = Object.keys(manifest.dependencies).map((name) => placeOf(name, ""));
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (places.has(place)) continue;
      places.add(place);
      for (const name of Object.keys(packages[place]?.dependencies ?? {})) pending.push(placeOf(name, place));
    }
    return [...places];
  }

  it("runs no script during the installation, and neither do its dependencies", () => {
    const scripts = Object.keys(manifest.scripts);
    expect(scripts.filter((name) => /^(pre|post)?(install|prepare|uninstall)$/.test(name))).toEqual([]);
    const places = reached();
    expect(places).toContain("node_modules/zod");
    expect(places.filter((place) => packages[place]?.hasInstallScript)).toEqual([]);
  });

  it("depends only on zod", () => {
    expect(reached()).toEqual(["node_modules/zod"]);
  });
});

describe("the table of promises in SECURITY.md", () => {
  const rows = read("SECURITY.md")
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.includes("`test/"));
  const filesOf = (row: string) => [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, path = ""]) => path);

  it.each(rows.map((row) => [row.split("|")[1]?.trim(), row]))("names tests that exist: %s", (_, row = "") => {
    const files = filesOf(row);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("has at least six rows", () => {
    expect(rows.length).toBeGreaterThanOrEqual(6);
  });
});
