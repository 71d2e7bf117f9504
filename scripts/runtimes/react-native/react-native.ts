/**
 * Runs the program in a React Native app: Metro bundles React Native's `fetch`, the package and the program, and Hermes
 * runs the bundle. The newest Hermes in a registry that can run programs on Linux is 0.12. Of the current Hermes, the
 * registry has only the compiler, which compiles a second bundle, made for it by React Native's preset.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, installedWith } from "../install.js";
import type { Outcome, Runtime } from "../runtime.js";
import { runHermes } from "./hermes.js";

const REACT_NATIVE = "0.88.1";
const METRO = "0.87.1";
const PACKAGES = [
  `react-native@${REACT_NATIVE}`,
  `@react-native/metro-config@${REACT_NATIVE}`,
  `@react-native/babel-preset@${REACT_NATIVE}`,
  `metro@${METRO}`,
  "react@19",
];

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles the app, which `react-native init` would configure like this, for the engine that `profile` selects. */
function metroBundle(folder: string, profile: "default" | "hermes-stable"): string {
  const out = join(folder, `bundle-${profile}.js`);
  const program = `
    const Metro = require("metro");
    Metro.loadConfig({ cwd: __dirname, config: "metro.config.js" }).then((config) =>
      Metro.runBuild(config, { entry: "index.js", platform: "android", dev: false, minify: false, out: ${JSON.stringify(out)} }));
  `;
  writeFileSync(join(folder, "build.cjs"), program);
  execFileSync(process.execPath, ["build.cjs"], {
    cwd: folder,
    env: { ...process.env, PROFILE: profile, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return readFileSync(out, "utf8");
}

const CONFIGURATION = {
  "babel.config.js": `module.exports = { presets: [["module:@react-native/babel-preset", { unstable_transformProfile: process.env.PROFILE }]] };`,
  "metro.config.js": `const { getDefaultConfig, mergeConfig } = require("@react-native/metro-config");
    module.exports = mergeConfig(getDefaultConfig(__dirname), { maxWorkers: 1, cacheStores: [] });`,
};

const executable = (folder: string, path: string) => join(folder, "node_modules", path);

export const reactNative: Runtime = {
  name: "React Native",
  note: "a Metro bundle; Hermes 1 compiles it, too",
  cannot: {
    stream: "no streams",
    download: "no streams",
    webhook: "no Web Crypto",
    redirects: "React Native follows them",
  },
  async run(project, input): Promise<Outcome> {
    const folder = installedWith(project.tarball, "react-native", PACKAGES);
    const sources = { "index.js": "app.js", "native-modules.js": "native-modules.js", "program.js": "../program.js" };
    for (const [name, source] of Object.entries(sources)) copyFileSync(here(source), join(folder, name));
    for (const [name, text] of Object.entries(CONFIGURATION)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, "modern.js"), metroBundle(folder, "hermes-stable"));
    const compiler = executable(folder, "hermes-compiler/hermesc/linux64-bin/hermesc");
    execFileSync(compiler, ["-w", "-emit-binary", "-out", "modern.hbc", "modern.js"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const engine = installed("hermes", ["hermes-engine-cli@0.12.0"]);
    const hermes = executable(engine, "hermes-engine-cli/linux64-bin/hermes");
    const results = await runHermes(hermes, metroBundle(folder, "default"), input);
    return { version: `${REACT_NATIVE}, Hermes 0.12.0`, results };
  },
};
