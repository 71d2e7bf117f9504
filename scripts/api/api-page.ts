/** Renders api.md: every public name with its signature, on one page. */
import { ENDPOINTS } from "../../src/endpoints/endpoints.js";
import { routeOf } from "../openapi/texts.js";
import type { PublicMethod, Surface } from "./public-surface.js";

const INTRODUCTION = `# API

This page lists every public name with its signature. \`npm run generate\` writes it from the source, and a test fails if it
is out of date, so that each change of the public surface is visible in review. The doc comments and
the [guides](README.md#i-want-to-) say what each name does. \`// @beta\` is explained in
[versions](docs/versioning.md).`;

/** The endpoint of each method by the name of the method, for example `POST /meetings/bot` of `meetings.sendBot`. */
export const ROUTES: ReadonlyMap<string, string> = new Map(
  ENDPOINTS.map((endpoint) => [endpoint.name, routeOf(endpoint)]),
);

function methodList(methods: readonly PublicMethod[]): string {
  const resources = [...new Set(methods.map(({ name }) => name.split(".")[0] ?? ""))].sort();
  return resources
    .map((resource) => {
      const lines = methods
        .filter(({ name }) => name.startsWith(`${resource}.`))
        .flatMap(({ name, signatures, isBeta }) => {
          const route = ROUTES.get(name);
          const notes = [route && `\`${route}\``, isBeta && "`@beta`"].filter(Boolean).join(", ");
          const short = name.slice(resource.length + 1);
          const forms = signatures.map((signature) => `  - \`${short}${signature.replace(/\s+/g, " ")}\``);
          return [`- \`notetaker.${name}\`${notes === "" ? "" : `: ${notes}`}`, ...forms];
        });
      return `### ${resource}\n\n${lines.join("\n")}`;
    })
    .join("\n\n");
}

const block = (declarations: readonly string[]) => `\`\`\`ts\n${declarations.join("\n\n")}\n\`\`\``;

export function apiPage({ entries, unexported, methods }: Surface): string {
  const sections = [...entries].map(([name, names]) => `## ${name}\n\n${names.length} names.\n\n${block(names)}`);
  return [
    INTRODUCTION,
    `## Calls\n\n${methodList(methods)}`,
    ...sections,
    `## Not exported\n\nTypes that the declarations above use, but that cannot be imported.\n\n${block(unexported)}`,
  ]
    .join("\n\n")
    .concat("\n");
}
