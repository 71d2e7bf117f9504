/** Renders docs/coverage.md: the method for each endpoint, and the guide, the example and the test of each method. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ENDPOINTS } from "../../src/endpoints/endpoints.js";
import { clientOptionsSchema } from "../../src/transport/client-options.js";
import { requestOptionsSchema } from "../../src/transport/request-options.js";
import { ROUTES } from "./api-page.js";
import { guides } from "./llms-page.js";
import { type PublicMethod, root } from "./public-surface.js";

const INTRODUCTION = `# Coverage

This page lists every endpoint of the service and every method of the client: what a call resolves to, whether the API
specification defines the endpoint or how it is known otherwise, a guide, an example if there is one, and a test. The
examples and tests are in the repository.
\`npm run generate\` writes this page. A test fails if the page is out of date, or if a method has no guide or no test.
\`@beta\` marks a method that needs something that the API specification does not define ([versions](versioning.md)).`;

interface Places {
  guide: string;
  example?: string;
  test: string;
}

/** One table tests the request of every endpoint. */
const REQUESTS = "test/resources/requests.test.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => pattern.test(path) && !path.includes("node_modules"))
    .sort();

/** Pages that name methods of every kind. */
const NO_GUIDES = [
  "coverage",
  "migrating",
  "recipes",
  "architecture",
  "reliability",
  "performance",
  "testing",
  "emulator",
];
const guidePages = guides().filter((name) => !NO_GUIDES.includes(name) && !name.startsWith("recipes/"));
const examples = filesIn("examples", /^examples\/([\w-]+|web-app\/server\/app)\.ts$/);
const tests = filesIn("test", /^test\/(resources|waiting|media)\/.*\.test\.ts$/);

const countOf = (text: string, name: string) => text.split(new RegExp(`${name.replace(".", "\\.")}\\b`)).length - 1;

/** The path whose text names `name` most often; `undefined` if none does. */
function bestOf(paths: readonly string[], name: string): string | undefined {
  const counted = paths.map((path) => ({ path, count: countOf(read(path), name) }));
  return counted.sort((a, b) => b.count - a.count).find(({ count }) => count > 0)?.path;
}

/** The anchor of a heading: `## Bots of calendar events` has `#bots-of-calendar-events`. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** The page that names the method most often, with the section that does. A page of the resource comes first. */
function guideOf(name: string): string | undefined {
  const [resource = ""] = name.split(".");
  const own = `docs/${resource}.md`;
  const pages = guidePages.map((page) => `docs/${page}.md`);
  const path = pages.includes(own) && read(own).includes(name) ? own : bestOf(pages, name);
  if (path === undefined) return undefined;
  const sections = read(path)
    .split(/^## /m)
    .map((text) => ({ text, count: countOf(text, name) }))
    .sort((a, b) => b.count - a.count);
  // The part before the first section begins with the title of the page.
  const section = sections[0]?.text.startsWith("# ") ? undefined : sections[0]?.text.split("\n", 1)[0];
  return `${path.replace("docs/", "")}${section === undefined ? "" : `#${anchorOf(section)}`}`;
}

/** What a call of the method resolves to, from its last signature: the one without type parameters. */
function resultOf({ signatures }: PublicMethod): string {
  const [, kind = "", type = ""] = /(\w+)<([^<>,]*)/.exec(signatures.at(-1)?.split("): ").at(-1) ?? "") ?? [];
  const result = `\`${type.replace("|", "\\|")}\``;
  if (kind === "PagePromise") return `pages of ${result}`;
  return kind.startsWith("Async") ? `many of ${result}` : result;
}

/** The table of requests calls the method of every endpoint. */
function placesOf(name: string): Partial<Places> {
  const example = examples.find((path) => read(path).includes(`${name}(`));
  const [guide, test] = [guideOf(name), ROUTES.has(name) ? REQUESTS : bestOf(tests, name)];
  return { ...(guide && { guide }), ...(example && { example }), ...(test && { test }) };
}

/** The methods without a guide or a test, and the options without a guide. */
export function coverageProblems(methods: readonly PublicMethod[]): string[] {
  const texts = guides().map((name) => read(`docs/${name}.md`));
  const options = [clientOptionsSchema, requestOptionsSchema].flatMap(({ shape }) => Object.keys(shape));
  // In code: `name`, `name: value`, or a line of an example.
  const isNamed = (option: string) => texts.some((text) => new RegExp(`\`${option}\\b|\\b${option}:`).test(text));
  return [
    ...methods.flatMap(({ name }) => {
      const { guide, test } = placesOf(name);
      return [guide ? [] : `no guide names ${name}`, test ? [] : `no test calls ${name}`].flat();
    }),
    ...options.filter((option) => !isNamed(option)).map((option) => `no guide names the option ${option}`),
  ];
}

/** Examples and tests are in the repository only, so the page names them without a link. */
const named = (path: string | undefined) => (path === undefined ? "" : `\`${path.split("/").at(-1)}\``);

function table(methods: readonly PublicMethod[], withEndpoint: boolean): string {
  const lines = methods.map((method) => {
    const { name, isBeta } = method;
    const { guide = "", example, test } = placesOf(name);
    const source = ENDPOINTS.find((endpoint) => endpoint.name === name)?.source;
    const cells = [
      ...(withEndpoint ? [`\`${ROUTES.get(name)}\``] : []),
      `\`${name}\`${isBeta ? " `@beta`" : ""}`,
      resultOf(method),
      ...(withEndpoint ? [source] : []),
      `[${guide.replace(/\.md.*/, "")}](${guide})`,
      named(example),
      ...(withEndpoint ? [] : [named(test)]),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const heads = [
    "method",
    "resolves to",
    ...(withEndpoint ? ["source"] : []),
    "guide",
    "example",
    ...(withEndpoint ? [] : ["test"]),
  ];
  const all = withEndpoint ? ["endpoint", ...heads] : heads;
  return [`| ${all.join(" | ")} |`, `|${all.map(() => "---|").join("")}`, ...lines].join("\n");
}

export function coveragePage(methods: readonly PublicMethod[]): string {
  const isDirect = ({ name }: PublicMethod) => ROUTES.has(name);
  return `${INTRODUCTION}

## Endpoints

\`${REQUESTS}\` tests the request of each.

${table(methods.filter(isDirect), true)}

## Methods that use several requests, or another method's endpoint

${table(
  methods.filter((method) => !isDirect(method)),
  false,
)}
`;
}
