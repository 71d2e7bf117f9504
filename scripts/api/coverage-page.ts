/** Renders docs/coverage.md: the method for each endpoint, and the guide, the example and the test of each method. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endpoints } from "./api-page.js";
import { type PublicMethod, root } from "./public-surface.js";

const INTRODUCTION = `# Coverage

This page lists every endpoint of the service and every method of the client. For each one, it links to a guide and a
test, and to an example if there is one. \`npm run api\` writes this page. A test fails if the page is out of date, or
if a method has no guide or no test. \`@beta\` marks a method that needs something that the API specification does not define
([versions](versioning.md)).`;

interface Places {
  /** The page of docs, with its section. */
  guide: string;
  example?: string;
  test: string;
}

const REQUESTS = "test/resources/requests.test.ts";

/** The best guide, example and test of each method. Each file must contain the name of the method. */
const PLACES: Readonly<Record<string, Places>> = {
  "documents.get": { guide: "transcripts.md#documents", example: "examples/tour.ts", test: REQUESTS },
  "documents.find": { guide: "transcripts.md#documents", test: "test/resources/find-document.test.ts" },
  "meetings.cancelBot": {
    guide: "bots.md#bots-of-calendar-events",
    example: "examples/calendar-bots.ts",
    test: REQUESTS,
  },
  "meetings.downloadRecording": {
    guide: "uploads-and-recordings.md#recordings",
    test: "test/media/download/download-recording.test.ts",
  },
  "meetings.get": { guide: "lists.md#one-meeting-or-room", test: "test/resources/get.test.ts" },
  "meetings.getRecording": { guide: "uploads-and-recordings.md#recordings", test: REQUESTS },
  "meetings.getTranscript": { guide: "transcripts.md", example: "examples/tour.ts", test: REQUESTS },
  "meetings.list": { guide: "lists.md", example: "examples/find-in-meetings.ts", test: REQUESTS },
  "meetings.scheduleBot": {
    guide: "bots.md#bots-of-calendar-events",
    example: "examples/calendar-bots.ts",
    test: REQUESTS,
  },
  "meetings.sendBot": { guide: "bots.md", example: "examples/tour.ts", test: REQUESTS },
  "meetings.upcoming": {
    guide: "bots.md#bots-of-calendar-events",
    example: "examples/calendar-bots.ts",
    test: REQUESTS,
  },
  "meetings.upload": { guide: "uploads-and-recordings.md#uploading", example: "examples/upload.ts", test: REQUESTS },
  "meetings.waitForCompletion": { guide: "waiting.md", test: "test/waiting/waiting.test.ts" },
  "meetings.waitForDocument": {
    guide: "waiting.md",
    example: "examples/tour.ts",
    test: "test/waiting/documents.test.ts",
  },
  "meetings.waitForDocuments": { guide: "waiting.md", test: "test/waiting/documents.test.ts" },
  "meetings.waitForTranscript": { guide: "waiting.md", test: "test/waiting/waiting.test.ts" },
  "meetings.watch": { guide: "waiting.md#every-meeting-without-webhooks", test: "test/waiting/watch.test.ts" },
  "permissions.list": { guide: "permissions.md", example: "examples/tour.ts", test: REQUESTS },
  "permissions.revoke": { guide: "permissions.md", test: REQUESTS },
  "permissions.set": { guide: "permissions.md", example: "examples/tour.ts", test: REQUESTS },
  "rooms.get": { guide: "lists.md#one-meeting-or-room", test: "test/resources/get.test.ts" },
  "rooms.list": { guide: "lists.md", example: "examples/tour.ts", test: REQUESTS },
  "settings.getNotetakerAutomation": {
    guide: "bots.md#bots-of-calendar-events",
    example: "examples/tour.ts",
    test: REQUESTS,
  },
  "settings.setNotetakerAutomation": {
    guide: "bots.md#bots-of-calendar-events",
    example: "examples/tour.ts",
    test: REQUESTS,
  },
  "webhooks.create": { guide: "webhooks.md#subscriptions-one-by-one", test: REQUESTS },
  "webhooks.delete": { guide: "webhooks.md#subscriptions-one-by-one", test: REQUESTS },
  "webhooks.ensure": {
    guide: "webhooks.md#one-subscription-with-its-secret-kept",
    example: "examples/live-rooms/server.ts",
    test: "test/resources/ensure-webhook.test.ts",
  },
  "webhooks.list": { guide: "webhooks.md#subscriptions-one-by-one", example: "examples/tour.ts", test: REQUESTS },
  "webhooks.update": { guide: "webhooks.md#subscriptions-one-by-one", test: REQUESTS },
};

const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : "");

/** The anchors of a page's headings: `## Bots of calendar events` has `#bots-of-calendar-events`. */
const anchorsIn = (page: string) =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );

/** The missing and wrong entries of the table. */
export function coverageProblems(methods: readonly PublicMethod[]): string[] {
  const names = methods.map(({ name }) => name);
  const unknown = Object.keys(PLACES).filter((name) => !names.includes(name));
  const problems = unknown.map((name) => `${name} is no method of the client: see PLACES in coverage-page.ts`);
  for (const name of names) {
    const places = PLACES[name];
    if (places === undefined) {
      problems.push(`${name} has no guide and no test: see PLACES in coverage-page.ts`);
      continue;
    }
    const [guide = "", anchor] = places.guide.split("#");
    // All requests are tested by one table.
    const tested = places.test === REQUESTS ? "test/support/calls.ts" : places.test;
    const called = name.slice(name.indexOf("."));
    for (const [path, text] of [
      [`docs/${guide}`, name],
      [places.example, called],
      [tested, tested === places.test ? called : name],
    ] as const) {
      if (path !== undefined && !read(path).includes(text)) problems.push(`${path} does not name ${text}`);
    }
    const isThere = anchor === undefined || anchorsIn(read(`docs/${guide}`)).includes(anchor);
    if (!isThere) problems.push(`docs/${guide} has no section #${anchor}`);
  }
  return problems;
}

const link = (path: string | undefined) => (path === undefined ? "" : `[${path.split("/").at(-1)}](../${path})`);

function table(methods: readonly PublicMethod[], routes: ReadonlyMap<string, string>): string {
  const withEndpoint = methods.some(({ name }) => routes.has(name));
  const lines = methods.map(({ name, isBeta }) => {
    const { guide, example, test } = PLACES[name] ?? { guide: "", test: "" };
    const cells = [
      ...(withEndpoint ? [`\`${routes.get(name)}\``] : []),
      `\`${name}\`${isBeta ? " `@beta`" : ""}`,
      `[${guide.replace(/\.md.*/, "")}](${guide})`,
      link(example),
      link(test),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const heads = [...(withEndpoint ? ["endpoint"] : []), "method", "guide", "example", "test"];
  return [`| ${heads.join(" | ")} |`, `|${heads.map(() => "---|").join("")}`, ...lines].join("\n");
}

export function coveragePage(methods: readonly PublicMethod[]): string {
  const routes = endpoints();
  const isDirect = ({ name }: PublicMethod) => routes.has(name);
  return `${INTRODUCTION}

## Endpoints

${table(methods.filter(isDirect), routes)}

## Methods that use several requests, or another method's endpoint

${table(
  methods.filter((method) => !isDirect(method)),
  routes,
)}
`;
}
