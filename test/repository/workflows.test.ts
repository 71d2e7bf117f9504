/** The workflows: their permissions, their commands, and the name of the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../support/run-program.js";

interface Job {
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const read = (path: string) => readFileSync(join(root, path), "utf8");
const folder = ".github/workflows";
const workflows = readdirSync(join(root, folder)).map((name) => {
  const text = read(`${folder}/${name}`);
  return { name, text, workflow: parse(text) as Workflow };
});
const manifest = JSON.parse(read("package.json")) as {
  scripts: Record<string, string>;
  repository: { url: string };
  homepage: string;
  bugs: { url: string };
};

/** The last permission is for results in the Security tab. */
const MAY_BE_ASKED_FOR = ["contents:read", "id-token:write", "pages:write", "security-events:write"];

describe.each(workflows)("the workflow $name", ({ text, workflow }) => {
  const jobs = Object.values(workflow.jobs);

  it("pins each action by its commit, with the version in a comment", () => {
    const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may only read the contents, unless a job asks for an allowed permission", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const more = jobs.flatMap(({ permissions = {} }) => Object.entries(permissions));
    for (const [scope, level] of more) expect(MAY_BE_ASKED_FOR).toContain(`${scope}:${level}`);
  });

  it("gives no additional rights to code from a pull request", () => {
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target");
    expect(Object.keys(workflow.on)).not.toContain("workflow_run");
    // A title or a branch name would become part of the command.
    const commands = jobs.flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
    for (const command of commands) expect(command).not.toMatch(/\$\{\{/);
  });

  it("installs packages only from the lock file", () => {
    expect(text).not.toMatch(/npm (i|install|update)\b|\bnpx\b|\bcurl\b|\bwget\b|pip install/);
  });

  it("leaves no repository token in a checkout", () => {
    const checkouts = jobs.flatMap(({ steps }) => steps.filter(({ uses }) => uses?.startsWith("actions/checkout")));
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ "persist-credentials": false });
  });

  it("runs only npm scripts that exist", () => {
    const scripts = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name!);
    for (const script of scripts) expect(Object.keys(manifest.scripts)).toContain(script);
  });
});

it("the package is published from a tag with provenance, and only the publishing job may request an identity", () => {
  const publishing = workflows.filter(({ text }) => /npm publish(?! --dry-run)/.test(text));
  expect(publishing.map(({ name }) => name)).toEqual(["release.yml"]);
  const { on, jobs } = publishing[0]!.workflow;
  expect(on).toEqual({ push: { tags: ["v*.*.*"] } });
  expect(jobs.publish!.steps.map(({ run }) => run)).toContain("npm publish --provenance --access public");
  expect(Object.keys(jobs).filter((name) => jobs[name]!.permissions?.["id-token"] === "write")).toEqual(["publish"]);
});

describe("the security of the dependencies", () => {
  const jobsOf = (name: string) => Object.values(workflows.find((one) => one.name === name)!.workflow.jobs);
  const { on } = workflows.find(({ name }) => name === "security.yml")!.workflow;
  const steps = jobsOf("security.yml").flatMap((job) => job.steps);
  const actions = [...steps, ...jobsOf("scorecard.yml").flatMap((job) => job.steps)].flatMap(
    ({ uses }) => uses?.replace(/@.*/, "") ?? [],
  );

  it("is checked for every change, and weekly", () => {
    expect(Object.keys(on).sort()).toEqual(["pull_request", "push", "schedule"]);
  });

  it("includes a review of lock file changes, a code analysis and a scorecard", () => {
    const expected = [
      "actions/dependency-review-action",
      "github/codeql-action/init",
      "github/codeql-action/analyze",
      "ossf/scorecard-action",
    ];
    expect(actions).toEqual(expect.arrayContaining(expected));
  });

  it("includes an audit that accepts no known vulnerability in the users' dependencies", () => {
    const commands = steps.map(({ run }) => run);
    expect(commands).toContain("npm audit --omit=dev --audit-level=low");
    expect(commands).toContain("npm audit --audit-level=high");
  });

  it("includes weekly updates of each lock file and of the actions", () => {
    interface Update {
      "package-ecosystem": string;
      directory: string;
      schedule: { interval: string };
    }
    const { updates } = parse(read(".github/dependabot.yml")) as { updates: Update[] };
    const folders = ["", ...readdirSync(root)].filter((folder) => existsSync(join(root, folder, "package-lock.json")));
    const covered = updates.map((update) => `${update["package-ecosystem"]} ${update.directory}`).sort();
    expect(covered).toEqual(["github-actions /", ...folders.map((folder) => `npm /${folder}`)].sort());
    for (const { schedule } of updates) expect(schedule).toEqual({ interval: "weekly" });
  });
});

it("the repository contains no binary programs", () => {
  const folders = [".ci", ".github", "docs", "examples", "scripts", "src", "test"];
  const files = folders.flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }));
  expect(files.length).toBeGreaterThan(500);
  const binaries = /\.(?:bin|class|dll|dylib|exe|jar|node|o|pyc|so|wasm|whl)$/;
  expect(files.filter((path) => binaries.test(path) && !path.includes("node_modules"))).toEqual([]);
});

it("every file uses the same repository URL", () => {
  const [, owner, name] = /^git\+https:\/\/github\.com\/([^/]+)\/([^/]+)\.git$/.exec(manifest.repository.url)!;
  const address = `https://github.com/${owner}/${name}`;
  expect(manifest.bugs.url).toBe(`${address}/issues`);
  expect(manifest.homepage).toBe(`https://${owner}.github.io/${name}/`);
  expect(JSON.parse(read("typedoc.json")).sourceLinkTemplate).toContain(`${address}/blob/`);
  expect(read(".github/ISSUE_TEMPLATE/config.yml")).toContain(`${address}/security/`);
});
