/** The workflows: what they may do, what they run, and where the repository is said to be. */
import { readdirSync, readFileSync } from "node:fs";
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

describe.each(workflows)("$name", ({ text, workflow }) => {
  const jobs = Object.values(workflow.jobs);

  it("pins each action by its commit, with its version beside it", () => {
    const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may read the contents, and no more unless a job says so", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    const more = jobs.flatMap(({ permissions = {} }) => Object.entries(permissions));
    for (const [scope, level] of more)
      expect(["contents:read", "id-token:write", "pages:write"]).toContain(`${scope}:${level}`);
  });

  it("leaves no token of the repository behind in a checkout", () => {
    const checkouts = jobs.flatMap(({ steps }) => steps.filter(({ uses }) => uses?.startsWith("actions/checkout")));
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ "persist-credentials": false });
  });

  it("runs scripts that exist", () => {
    const scripts = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name!);
    for (const script of scripts) expect(Object.keys(manifest.scripts)).toContain(script);
  });
});

it("the package is published with provenance, from a tag, by the one job that may ask for an identity", () => {
  const publishing = workflows.filter(({ text }) => /npm publish(?! --dry-run)/.test(text));
  expect(publishing.map(({ name }) => name)).toEqual(["release.yml"]);
  const { on, jobs } = publishing[0]!.workflow;
  expect(on).toEqual({ push: { tags: ["v*.*.*"] } });
  expect(jobs.publish!.steps.map(({ run }) => run)).toContain("npm publish --provenance --access public");
  expect(Object.keys(jobs).filter((name) => jobs[name]!.permissions?.["id-token"] === "write")).toEqual(["publish"]);
});

it("every file names the same repository", () => {
  const [, owner, name] = /^git\+https:\/\/github\.com\/([^/]+)\/([^/]+)\.git$/.exec(manifest.repository.url)!;
  const address = `https://github.com/${owner}/${name}`;
  expect(manifest.bugs.url).toBe(`${address}/issues`);
  expect(manifest.homepage).toBe(`https://${owner}.github.io/${name}/`);
  expect(JSON.parse(read("typedoc.json")).sourceLinkTemplate).toContain(`${address}/blob/`);
  expect(read(".github/ISSUE_TEMPLATE/config.yml")).toContain(`${address}/security/`);
});
