/**
 * Runs the program in a React Native app: Metro bundles React Native's `fetch`, the package and the program, and Hermes
 * runs the bundle. The newest Hermes in a registry that can run programs on Linux is 0.12. Of the current Hermes, the
 * registry has only the compiler, which compiles a second bundle, made for it by React Native's preset.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, npm } from "../install.js";
import type { Project } from "../project.js";
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

/** Makes the folder of an app, like `react-native init`: the configuration of Metro and Babel, and the sources. */
export function createApp(project: Project, name: string, sources: Readonly<Record<string, string>>): string {
  const folder = installed(name, PACKAGES);
  // The package is installed again each time, so that it is always the current one.
  rmSync(join(folder, "node_modules/notetaker-sdk"), { recursive: true, force: true });
  npm(folder, "install", "--no-save", "--legacy-peer-deps", project.tarball);
  for (const [file, source] of Object.entries(sources)) copyFileSync(source, join(folder, file));
  writeFileSync(
    join(folder, "babel.config.js"),
    `module.exports = { presets: [["module:@react-native/babel-preset", { unstable_transformProfile: process.env.PROFILE }]] };`,
  );
  writeFileSync(
    join(folder, "metro.config.js"),
    `const { getDefaultConfig, mergeConfig } = require("@react-native/metro-config");
     module.exports = mergeConfig(getDefaultConfig(__dirname), { maxWorkers: 1, cacheStores: [] });`,
  );
  return folder;
}

/** Bundles `entry` for the engine that `profile` selects. Returns the bundle. */
export function metroBundle(
  folder: string,
  entry: string,
  profile: "default" | "hermes-stable",
  minify: boolean,
): string {
  const out = join(folder, `bundle-${profile}.js`);
  const program = `
    const Metro = require("metro");
    Metro.loadConfig({ cwd: __dirname, config: "metro.config.js" }).then((config) =>
      Metro.runBuild(config, { entry: ${JSON.stringify(entry)}, platform: "android", dev: false, minify: ${minify}, out: ${JSON.stringify(out)} }));
  `;
  writeFileSync(join(folder, "build.cjs"), program);
  execFileSync(process.execPath, ["build.cjs"], {
    cwd: folder,
    env: { ...process.env, PROFILE: profile, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return readFileSync(out, "utf8");
}

const executable = (folder: string, path: string) => join(folder, "node_modules", path);

export const hermesProgram = (): string =>
  executable(installed("hermes", ["hermes-engine-cli@0.12.0"]), "hermes-engine-cli/linux64-bin/hermes");

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
    const folder = createApp(project, "react-native", {
      "index.js": here("app.js"),
      "native-modules.js": here("native-modules.js"),
      "program.js": here("../program.js"),
    });
    const modern = metroBundle(folder, "index.js", "hermes-stable", false);
    writeFileSync(join(folder, "modern.js"), modern);
    const compiler = executable(folder, "hermes-compiler/hermesc/linux64-bin/hermesc");
    execFileSync(compiler, ["-w", "-emit-binary", "-out", join(folder, "modern.hbc"), join(folder, "modern.js")], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const results = await runHermes(hermesProgram(), metroBundle(folder, "index.js", "default", false), input);
    return { version: `${REACT_NATIVE}, Hermes 0.12.0`, results };
  },
};
