/** The bundlers. Each has its packages, and a program that makes a small bundle of one file for browsers. */

export interface Bundler {
  name: string;
  /** The packages to install. The first is the bundler. */
  packages: readonly string[];
  note?: string;
  /** Whether it bundles the files for CommonJS, a few chunks in which parts of zod stand beside our own code. */
  isCommonJs?: boolean;
  /**
   * The source of an ES module that bundles `entry` into the file or the folder `out`. It runs in the folder of the
   * packages.
   */
  program(entry: string, out: string): string;
}

const text = (value: string) => JSON.stringify(value);

const esbuild: Bundler = {
  name: "esbuild",
  packages: ["esbuild"],
  program: (entry, out) => `
    import { build } from "esbuild";
    await build({ entryPoints: [${text(entry)}], outfile: ${text(`${out}/bundle.js`)}, bundle: true, minify: true,
      format: "esm", platform: "browser", legalComments: "none" });
  `,
};

const rollup: Bundler = {
  name: "Rollup",
  packages: ["rollup", "@rollup/plugin-node-resolve", "@rollup/plugin-terser"],
  program: (entry, out) => `
    import resolve from "@rollup/plugin-node-resolve";
    import terser from "@rollup/plugin-terser";
    import { rollup } from "rollup";
    const bundle = await rollup({ input: ${text(entry)}, plugins: [resolve({ browser: true })] });
    await bundle.write({ dir: ${text(out)}, format: "es", plugins: [terser()], inlineDynamicImports: true });
  `,
};

const vite: Bundler = {
  name: "Vite",
  packages: ["vite"],
  program: (entry, out) => `
    import { build } from "vite";
    await build({ configFile: false, logLevel: "error", build: { outDir: ${text(out)}, modulePreload: false,
      emptyOutDir: true, rollupOptions: { input: ${text(entry)} } } });
  `,
};

/** webpack and Rspack have the same options. */
const withWebpackOptions = (module: string, importName: string) => (entry: string, out: string) =>
  `
    import { ${importName} as bundler } from ${text(module)};
    const options = { entry: ${text(entry)}, mode: "production", target: "web", output: { path: ${text(out)} },
      performance: false };
    await new Promise((resolve, reject) => bundler(options, (error, stats) =>
      error || stats.hasErrors() ? reject(error ?? new Error(stats.toString())) : resolve()));
  `;

const webpack: Bundler = { name: "webpack", packages: ["webpack"], program: withWebpackOptions("webpack", "default") };

const rspack: Bundler = {
  name: "Rspack",
  packages: ["@rspack/core"],
  program: withWebpackOptions("@rspack/core", "rspack"),
};

const parcel: Bundler = {
  name: "Parcel",
  packages: ["parcel", "@parcel/config-default", "@parcel/core"],
  program: (entry, out) => `
    import { readFileSync, writeFileSync } from "node:fs";
    import { Parcel } from "@parcel/core";
    const manifest = JSON.parse(readFileSync("package.json", "utf8"));
    manifest["@parcel/resolver-default"] = { packageExports: true };
    writeFileSync("package.json", JSON.stringify(manifest));
    await new Parcel({ entries: ${text(entry)}, defaultConfig: "@parcel/config-default", mode: "production",
      shouldDisableCache: true, shouldContentHash: false,
      defaultTargetOptions: { distDir: ${text(out)}, shouldOptimize: true, shouldScopeHoist: true, sourceMaps: false,
        engines: { browsers: ["last 2 Chrome versions"] } } }).run();
  `,
};

const bun: Bundler = {
  name: "Bun",
  packages: ["bun"],
  program: (entry, out) => `
    import { execFileSync } from "node:child_process";
    const args = ["build", ${text(entry)}, "--minify", "--target=browser", "--outdir=" + ${text(out)}];
    execFileSync("node_modules/.bin/bun", args, { stdio: ["ignore", "ignore", "inherit"] });
  `,
};

const metro: Bundler = {
  name: "Metro",
  packages: ["metro", "@react-native/metro-config@0.88.1", "@react-native/babel-preset@0.88.1", "react-native@0.88.1"],
  note: "does not leave out unused modules",
  isCommonJs: true,
  program: (entry, out) => `
    import { mkdirSync, writeFileSync } from "node:fs";
    import { createRequire } from "node:module";
    const Metro = createRequire(import.meta.url)("metro");
    writeFileSync("babel.config.js", 'module.exports = { presets: ["module:@react-native/babel-preset"] };');
    writeFileSync("metro.config.js", \`
      const { getDefaultConfig, mergeConfig } = require("@react-native/metro-config");
      const serializer = { getPolyfills: () => [], getModulesRunBeforeMainModule: () => [] };
      module.exports = mergeConfig(getDefaultConfig(__dirname), { maxWorkers: 1, cacheStores: [], serializer });
    \`);
    mkdirSync(${text(out)}, { recursive: true });
    // Not awaited: its promise may stay pending after all files are written.
    Metro.loadConfig({ cwd: process.cwd(), config: "metro.config.js" }).then((config) => Metro.runBuild(config, {
      entry: ${text(entry)}, platform: "android", dev: false, minify: true, out: ${text(`${out}/bundle.js`)} }));
  `,
};

export const BUNDLERS: readonly Bundler[] = [esbuild, rollup, vite, webpack, rspack, parcel, metro, bun];
