/** Runs the program in jest's page environments, jsdom and happy-dom. They use the package's CommonJS. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installed, versionOf } from "./install.js";
import type { Project } from "./project.js";
import type { Outcome, Results, Runtime } from "./runtime.js";
import type { ProgramInput } from "./service.js";

const PACKAGES = ["jest", "jest-environment-jsdom", "@happy-dom/jest-environment", "whatwg-fetch"];

/** Runs the program as a jest test, in a folder below the folder in which jest is installed. */
async function runInJest(project: Project, input: ProgramInput, environment: string, setup: string): Promise<Results> {
  const folder = join(installed("jest", PACKAGES), "project");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  for (const name of ["notetaker-sdk", "zod"]) {
    cpSync(join(project.folder, "node_modules", name), join(folder, "node_modules", name), { recursive: true });
  }
  copyFileSync(join(project.folder, "program.cjs"), join(folder, "program.js"));
  const origin = new URL(input.baseUrl).origin;
  const config = { testEnvironment: environment, testEnvironmentOptions: { url: origin }, transform: {} };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, jest: config }));
  const test = `
    if (typeof document === "undefined") throw new Error("this is no page");
    // Required first: it must load without the functions that the page lacks.
    const { program } = require("./program.js");
    ${setup}
    test("the program", async () => {
      const results = await program(${JSON.stringify(input)});
      require("node:fs").writeFileSync(${JSON.stringify(join(folder, "results.json"))}, JSON.stringify(results));
    }, 60000);
  `;
  writeFileSync(join(folder, "program.test.js"), test);
  const jest = join(folder, "../node_modules/jest/bin/jest.js");
  await project.run(process.execPath, [jest, "--watchman=false"], {}, folder);
  return JSON.parse(readFileSync(join(folder, "results.json"), "utf8")) as Results;
}

/** What docs/runtimes.md tells users of jsdom to do. */
const JSDOM_SETUP = 'require("whatwg-fetch"); globalThis.TextEncoder = require("node:util").TextEncoder;';

const jsdom: Runtime = {
  name: "jsdom (jest)",
  cannot: { stream: "no streams", download: "no streams", webhook: "no Web Crypto", redirects: "jsdom follows them" },
  async run(project, input): Promise<Outcome> {
    const results = await runInJest(project, input, "jsdom", JSDOM_SETUP);
    return { version: versionOf(installed("jest", PACKAGES), "jsdom"), results };
  },
};

const happyDom: Runtime = {
  name: "happy-dom (jest)",
  async run(project, input): Promise<Outcome> {
    const results = await runInJest(project, input, "@happy-dom/jest-environment", "");
    return { version: versionOf(installed("jest", PACKAGES), "happy-dom"), results };
  },
};

export const pageEnvironments: readonly Runtime[] = [jsdom, happyDom];
