/**
 * `npm run --silent sbom`, after a build: prints the software bill of materials (SBOM) of the package as CycloneDX.
 * npm's own SBOM lacks the bundled packages. This one has the dependencies, and the packages in
 * THIRD-PARTY-NOTICES.txt.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Component {
  "bom-ref": string;
  name: string;
  version: string;
}
interface Bom {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

const everything = JSON.parse(
  execFileSync("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 100_000_000,
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  }),
) as Bom;

const own = everything.metadata.component["bom-ref"];
const dependsOn = new Map(everything.dependencies.map(({ ref, dependsOn: refs = [] }) => [ref, refs]));
const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
const isDependency = (ref: string) => Object.keys(dependencies).some((name) => ref.startsWith(`${name}@`));
const bundled = [...read("THIRD-PARTY-NOTICES.txt").matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(.+\)$/gm)].map(
  ([, name, version]) => `${name}@${version}`,
);
const direct = [...(dependsOn.get(own) ?? []).filter(isDependency), ...bundled];

const kept = new Set<string>();
const visit = (ref: string) => {
  if (kept.has(ref)) return;
  kept.add(ref);
  for (const next of dependsOn.get(ref) ?? []) visit(next);
};
for (const ref of direct) visit(ref);

const bom: Bom = {
  ...everything,
  components: everything.components.filter((component) => kept.has(component["bom-ref"])),
  dependencies: [{ ref: own, dependsOn: direct }, ...everything.dependencies.filter(({ ref }) => kept.has(ref))],
};
const missing = [...kept].filter((ref) => !bom.components.some((component) => component["bom-ref"] === ref));
if (missing.length > 0) throw new Error(`the lock file does not have ${missing.join(", ")}`);
console.log(JSON.stringify(bom, null, 2));
