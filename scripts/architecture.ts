/**
 * `npm run architecture`: writes the generated parts of docs/architecture.md. The diagram of rooms (folders of `src`)
 * is made from the imports. The table of a call lists the files that a call passes through, each with the first
 * sentence of its head comment. With `--check` it only compares, and fails if the page is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { ROOMS } from "../.dependency-cruiser.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs/architecture.md");

/** The files of one call, in the order in which the call passes through them. */
const WAY_OF_A_CALL = [
  "src/resources/rooms.ts",
  "src/transport/list.ts",
  "src/transport/transport.ts",
  "src/transport/prepare.ts",
  "src/transport/request-token.ts",
  "src/transport/attempt.ts",
  "src/transport/send-request.ts",
  "src/transport/read-response.ts",
  "src/errors/api-error-from-response.ts",
  "src/transport/retry-policy.ts",
  "src/transport/page.ts",
];

const roomOf = (path: string) => /^src\/([\w-]+)/.exec(path)?.[1] ?? "";

/** For each room, the rooms from which it imports. */
async function importsBetweenRooms(): Promise<Map<string, Set<string>>> {
  const { output } = await cruise([join(root, "src")], {
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    baseDir: root,
  });
  const imports = new Map<string, Set<string>>(Object.keys(ROOMS).map((room) => [room, new Set()]));
  for (const { source, dependencies } of (output as ICruiseResult).modules) {
    for (const { resolved } of dependencies) {
      const [from, to] = [roomOf(source), roomOf(resolved)];
      if (from !== "" && to !== "" && from !== to) imports.get(from)?.add(to);
    }
  }
  return imports;
}

/** The imports of `room` that the diagram shows. A room that it also imports through another room needs no arrow. */
function directImports(room: string, imports: Map<string, Set<string>>): string[] {
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of imports.get(from) ?? []) {
      if (!seen.has(next)) reached(next, seen.add(next));
    }
    return seen;
  };
  const own = [...(imports.get(room) ?? [])];
  return own.filter((target) => !own.some((other) => other !== target && reached(other).has(target)));
}

async function roomsPicture(): Promise<string> {
  const imports = await importsBetweenRooms();
  const present = Object.keys(ROOMS).filter((room) => [...imports].some(([from, to]) => from === room || to.has(room)));
  const lines = present.flatMap((room) => directImports(room, imports).map((target) => `  ${room} --> ${target}`));
  return ["```mermaid", "flowchart BT", ...lines.sort(), "```"].join("\n");
}

/** The first sentence of the first doc comment in a file. */
function firstSentence(path: string): string {
  const source = readFileSync(join(root, path), "utf8");
  const comment = /\/\*\*([\s\S]*?)\*\//.exec(source)?.[1] ?? "";
  const text = comment
    .replace(/^\s*\* ?/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}

const callPicture = () =>
  [
    "| file | what it does |",
    "|---|---|",
    ...WAY_OF_A_CALL.map((path) => `| \`${path}\` | ${firstSentence(path)} |`),
  ].join("\n");

const pictures: Record<string, string> = { rooms: await roomsPicture(), call: callPicture() };
const before = readFileSync(page, "utf8");
const after = before.replace(
  /(<!-- drawn: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
  (_, begin: string, name: string, end: string) => `${begin}${pictures[name] ?? ""}\n${end}`,
);
if (process.argv.includes("--check")) {
  if (after !== before) console.error("docs/architecture.md is out of date: run npm run architecture");
  process.exitCode = after === before ? 0 : 1;
} else {
  writeFileSync(page, after);
}
