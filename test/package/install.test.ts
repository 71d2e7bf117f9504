import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, test } from "vitest";
import { STRICT_OPTIONS } from "../../scripts/types-versions/strict-options.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const installed = inject("installed");

/** Runs a program inside the project in which the tarball is installed. */
function run(name: string, source: string): string {
  writeFileSync(join(installed, name), source);
  return execFileSync(process.execPath, [name], { cwd: installed, encoding: "utf8", env: {} });
}

/** The packages that the built files contain, as the bundler reports them. */
const BUNDLED = ["fflate", "zod"];

const talk = `
const service = createEmulator();
const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
const titles = [];
(async () => {
  for await (const room of notetaker.rooms.list({ limit: 1, expand: ["meetings"] })) titles.push(room.title);
  const error = await notetaker.meetings.getTranscript("mtg_nothing").catch((error) => error);
  const headers = { "x-webhook-signature": await sign('{"event":"meeting.transcript_ready","id":"mtg_1"}', "secret") };
  const event = await verify('{"event":"meeting.transcript_ready","id":"mtg_1"}', headers, "secret");
  console.log(JSON.stringify({
    rooms: titles.length > 1,
    notFound: error instanceof NotFoundError && error.status === 404,
    text: toText({ meeting_id: "mtg_1", language: "en", speakers: [{ id: "spk_1", name: "Ada" }], segments: [{ speaker_id: "spk_1", start_time: 4, end_time: 5, text: "Hello" }] }),
    event: event.kind + " " + event.meetingId,
    node: typeof fromPath,
    browser: typeof xhrFetch,
    redis: typeof redisDedupe,
  }));
})();
`;
const names = {
  "notetaker-sdk": ["Notetaker", "NotFoundError"],
  "notetaker-sdk/testing": ["createEmulator"],
  "notetaker-sdk/webhooks": ["sign", "verify"],
  "notetaker-sdk/transcript": ["toText"],
  "notetaker-sdk/node": ["fromPath"],
  "notetaker-sdk/browser": ["xhrFetch"],
  "notetaker-sdk/redis": ["redisDedupe"],
};
const said = {
  rooms: true,
  notFound: true,
  text: expect.stringContaining("Ada: Hello"),
  event: "meeting.transcript_ready mtg_1",
  node: "function",
  browser: "function",
  redis: "function",
};

describe("the packed tarball, installed in an empty folder", () => {
  test("can be imported in an ES module", () => {
    const imports = Object.entries(names).map(([from, what]) => `import { ${what.join(", ")} } from "${from}";`);
    expect(JSON.parse(run("esm.mjs", imports.join("\n") + talk))).toEqual(said);
  });

  test("can be required in CommonJS", () => {
    const requires = Object.entries(names).map(([from, what]) => `const { ${what.join(", ")} } = require("${from}");`);
    expect(JSON.parse(run("cjs.cjs", requires.join("\n") + talk))).toEqual(said);
  });

  test("keeps instanceof true between its ESM copy and its CommonJS copy", () => {
    const source = `
      import { createRequire } from "node:module";
      import { ApiError, NotFoundError, NotetakerError, ServerError } from "notetaker-sdk";
      const cjs = createRequire(import.meta.url)("notetaker-sdk");
      const client = new cjs.Notetaker({
        baseUrl: "https://service.invalid/v1",
        token: "token",
        fetch: async () => Response.json({ error: { code: "not_found", message: "resource not found" } }, { status: 404 }),
      });
      const error = await client.webhooks.list().catch((error) => error);
      console.log([NotFoundError, ApiError, NotetakerError, ServerError, Error].map((kind) => error instanceof kind).join());
    `;
    expect(run("copies.mjs", source).trim()).toBe("true,true,true,false,true");
  });

  test("contains exactly the files that it needs", () => {
    const listing = execFileSync("tar", ["tzf", inject("tarball")], { encoding: "utf8" })
      .split("\n")
      .filter(Boolean);
    const docs = readdirSync(join(root, "docs")).filter((name) => /\.(md|png|svg)$/.test(name));
    const inDist = (path: string) => path.startsWith("package/dist/");
    expect(listing.filter((path) => !inDist(path)).sort()).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "THIRD-PARTY-NOTICES.txt",
        "api.md",
        "llms.txt",
        "openapi.json",
        "package.json",
        ...docs.map((name) => `docs/${name}`),
      ]
        .map((path) => `package/${path}`)
        .sort(),
    );
    // The package contains no source maps, no build records and no tests.
    expect(
      listing.filter((path) => inDist(path) && !/^[\w/.-]+(?<!\.test)\.(d\.ts|d\.cts|js|cjs)$/.test(path)),
    ).toEqual([]);
  });

  test("contains every page that llms.txt links to", () => {
    const folder = join(installed, "node_modules/notetaker-sdk");
    const links = [...readFileSync(join(folder, "llms.txt"), "utf8").matchAll(/\]\(([^)]+)\)/g)].map(
      ([, link]) => link!,
    );
    expect(links).toContain("api.md");
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
  });

  test("contains every file that its manifest names", () => {
    const { exports, bin, typesVersions, main, module, types } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    );
    const targets = JSON.stringify([exports, bin, typesVersions, main, module, types]).match(/[\w./-]+\.\w+/g)!;
    const files = targets.filter((path) => /^(\.\/)?(dist\/|openapi)/.test(path));
    expect(files).toEqual(expect.arrayContaining(Object.values(bin)));
    expect(files.length).toBeGreaterThan(20);
    for (const path of files)
      expect(() => readFileSync(join(installed, "node_modules/notetaker-sdk", path))).not.toThrow();
  });

  test("has a manifest that npm does not correct when it publishes", () => {
    const copy = join(installed, "manifest");
    mkdirSync(copy);
    copyFileSync(join(root, "package.json"), join(copy, "package.json"));
    execFileSync("npm", ["pkg", "fix"], { cwd: copy, stdio: "ignore", shell: process.platform === "win32" });
    const read = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(read(copy)).toEqual(read(root));
  });

  test("contains the licence of each bundled package, and no other licence", () => {
    const folder = join(installed, "node_modules/notetaker-sdk");
    const notices = readFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
    const packages = [...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(([, name, version]) => ({
      name,
      version,
    }));
    expect(packages.map(({ name }) => name)).toEqual(BUNDLED);
    for (const { name, version } of packages) {
      const manifest = JSON.parse(readFileSync(join(root, "node_modules", name!, "package.json"), "utf8"));
      expect(version).toBe(manifest.version);
      expect(notices).toContain(readFileSync(join(root, "node_modules", name!, "LICENSE"), "utf8").trim());
    }
    // A package that is not bundled is imported. It has to be a dependency, an optional peer or a Node module.
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const allowed = new Set([
      ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
      ...builtinModules.flatMap((name) => [name, `node:${name}`]),
    ]);
    const files = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => /\.c?js$/.test(name))) {
      const code = readFileSync(join(folder, "dist", file), "utf8");
      for (const [, from] of code.matchAll(/^(?:import|export)[^'"]*["']([^.'"][^'"]*)["'];?$/gm)) {
        const [scope, name] = from!.split("/");
        const source = from!.startsWith("@") ? `${scope}/${name}` : from!.startsWith("node:") ? from! : scope!;
        expect(allowed, `${file} imports ${from}`).toContain(source);
      }
    }
  });

  test.each(["dist", "dist/for-node"])("imports Node modules only in the entry points for Node, in %s", (build) => {
    for (const entry of [
      "index",
      "transcript/index",
      "webhooks/index",
      "redis/index",
      "browser/index",
      "testing/index",
    ]) {
      const seen = new Set<string>();
      const visit = (file: string) => {
        if (seen.has(file)) return;
        seen.add(file);
        const code = readFileSync(file, "utf8");
        // Imports when the file is loaded. The emulator's listen() imports node:http only when it is called.
        expect(code, `${file}, reached from ${entry}`).not.toMatch(/^import[^(]*["']node:/m);
        for (const [, next] of code.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) visit(join(dirname(file), next!));
      };
      visit(join(installed, "node_modules/notetaker-sdk", build, `${entry}.js`));
      expect(seen.size).toBeGreaterThan(1);
    }
  });
});

describe("the types of the packed tarball", () => {
  const program = `
import { type Meeting, type Room, InvalidArgumentError, Notetaker } from "notetaker-sdk";
import { fromPath } from "notetaker-sdk/node";
import { createEmulator } from "notetaker-sdk/testing";
import { toText } from "notetaker-sdk/transcript";
import { verify } from "notetaker-sdk/webhooks";

export async function main(): Promise<string> {
  const service = createEmulator();
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
  for await (const room of notetaker.rooms.list({ expand: ["meetings"] })) {
    const meetings: { id: \`mtg_\${string}\` }[] = room.meetings;
    if (meetings.length > 99) return room.title;
  }
  const plain: Room[] = (await notetaker.rooms.list()).data;
  // @ts-expect-error without expand, meetings may be missing
  plain[0]?.meetings.length;
  const format: "docx" = (await notetaker.documents.get("doc_1", { format: "docx" })).format;
  const meetings: Meeting[] = await notetaker.meetings.list().toArray({ max: 3 });
  // @ts-expect-error an unknown option
  await notetaker.webhooks.list({ timeout: 5 });
  await verify("{}", new Headers(), "secret").catch((error: unknown) => error instanceof InvalidArgumentError);
  return format + meetings.length + toText(await notetaker.meetings.getTranscript("mtg_1")) + typeof fromPath;
}
`;
  const check = (
    module: string,
    resolution: string,
    type: string,
    file: string,
    extra: object,
    { compiler = "typescript", source = program } = {},
  ) => {
    const name = [module, type, file.split(".").pop(), ...Object.keys(extra), compiler].join("-");
    const folder = join(installed, `types-${name}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
    writeFileSync(join(folder, file), source);
    const compilerOptions = { ...STRICT_OPTIONS, module, moduleResolution: resolution, ...extra };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(root, "node_modules", compiler, "bin/tsc"), "-p", folder],
      {
        encoding: "utf8",
      },
    );
    expect(stdout).toBe("");
    expect(status).toBe(0);
  };

  test.each([
    ["node16", "node16", "module", "program.ts"],
    ["node16", "node16", "commonjs", "program.ts"],
    ["nodenext", "nodenext", "module", "program.mts"],
    ["nodenext", "nodenext", "commonjs", "program.cts"],
    ["esnext", "bundler", "module", "program.ts"],
  ])(
    "compile with module %s, resolution %s, in a %s package (%s), with skipLibCheck off",
    (module, resolution, type, file) => {
      check(module, resolution, type, file, {});
    },
  );

  test.each(["typescript54", "typescript7"])("compile with another version of TypeScript: %s", (compiler) => {
    const source = readFileSync(join(root, "scripts/types-versions/program.ts"), "utf8");
    check("nodenext", "nodenext", "module", "program.ts", {}, { compiler, source });
  });

  test("compile in a Node project without the DOM library", () => {
    rmSync(join(installed, "node_modules/@types"), { recursive: true, force: true });
    mkdirSync(join(installed, "node_modules/@types"), { recursive: true });
    symlinkSync(join(root, "node_modules/@types/node"), join(installed, "node_modules/@types/node"));
    check("nodenext", "nodenext", "module", "program.ts", { lib: ["es2022"], types: ["node"] });
  });
});

describe("the manifest of the packed tarball", () => {
  test("passes publint --strict", () => {
    const { stdout, status } = spawnSync("npx", ["publint", "--strict", inject("tarball")], {
      cwd: root,
      encoding: "utf8",
    });
    expect(stdout).toContain("All good!");
    expect(status).toBe(0);
  });

  test("passes attw in every resolution mode", () => {
    const { stdout, status } = spawnSync("npx", ["attw", inject("tarball"), "--format", "ascii"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(stdout).toContain("No problems found");
    expect(status).toBe(0);
  });
});
