/**
 * The rooms of `src`, and which others each may import: the one table of directions. `npm run directions` holds it, and
 * `npm run generate` draws it in docs/architecture.md. An arrow that is not here is an error, and so is a cycle.
 */
const GROUND = ["async", "json", "links", "checks", "assumptions", "upload-progress"];
const CALLS = [...GROUND, "redact", "schemas", "errors", "endpoints", "throttle", "transport", "lists"];
const CLIENT = [...CALLS, "documents", "media", "waiting", "resources", "configuration", "client"];

/** A room is a folder of `src`, or a file directly in it. Lower rooms come first. */
export const ROOMS = {
  // The ground.
  async: [],
  json: [],
  links: ["json"],
  checks: ["json"],
  assumptions: [],
  "upload-progress": [],
  redact: ["json"],
  schemas: GROUND,
  errors: [...GROUND, "schemas"],
  endpoints: [...GROUND, "schemas"],
  // What a call needs.
  throttle: [...GROUND, "schemas", "errors", "endpoints"],
  transport: [...GROUND, "redact", "schemas", "errors", "endpoints", "throttle"],
  lists: [...GROUND, "schemas", "errors", "endpoints", "transport"],
  media: CALLS,
  documents: [...GROUND, "schemas", "errors"],
  waiting: [...CALLS, "documents"],
  resources: [...CALLS, "documents", "media", "waiting"],
  configuration: CALLS,
  client: [...CALLS, "documents", "media", "waiting", "resources", "configuration"],
  "notetaker-like": ["schemas", "endpoints", "transport", "lists", "client"],
  sync: [...CLIENT, "notetaker-like"],
  walk: [...CLIENT, "notetaker-like", "sync"],
  index: [...CLIENT, "notetaker-like", "sync", "walk"],
  // Entry points of their own: they do not know the client.
  transcript: ["schemas", "errors", "json"],
  webhooks: [...GROUND, "redact", "schemas", "errors"],
  browser: [...GROUND, "upload-progress", "schemas", "errors", "webhooks"],
  // Entry points that stand on the client.
  node: [...CLIENT, "notetaker-like", "sync", "walk", "transcript", "webhooks"],
  sql: [...CALLS, "documents", "resources", "notetaker-like", "sync", "transcript"],
  redis: [...CLIENT, "webhooks"],
  tools: [...CLIENT, "notetaker-like", "sync", "transcript", "sql"],
  otel: CLIENT,
  doctor: [...CLIENT, "webhooks"],
  testing: [...CLIENT, "webhooks"],
  command: [...CLIENT, "sync", "walk", "webhooks", "transcript", "tools", "doctor", "testing", "sql", "node"],
};

/** Modules of others, and the rooms that may import them. */
const LIBRARIES = {
  // Not for transcript, documents, browser and otel, which promise to be small.
  zod: [...CLIENT, "notetaker-like", "sync", "walk", "webhooks", "node", "redis", "sql", "tools", "doctor", "testing"],
  ky: ["transport"],
  "eventsource-parser": ["webhooks"],
  msw: ["testing"],
  "@opentelemetry": ["otel"],
  "@modelcontextprotocol": ["command"],
};

const pathOf = (room) => `^src/${room}(/|[.]ts$)`;
const anyOf = (rooms) => rooms.map(pathOf);

const directions = Object.entries(ROOMS).map(([room, known]) => ({
  name: `${room}-imports-only-what-it-may`,
  comment: known.length === 0 ? `${room} imports no other room` : `${room} may import ${known.join(", ")}`,
  severity: "error",
  from: { path: pathOf(room) },
  to: { path: "^src/", pathNot: anyOf([room, ...known]) },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    ...directions,
    {
      name: "no-circular",
      comment: "imports of types count, too",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      comment: "a file that nothing imports and that imports nothing",
      severity: "error",
      from: { orphan: true, path: "^src/" },
      to: {},
    },
    {
      name: "every-room-is-in-the-table",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^src/", pathNot: anyOf(Object.keys(ROOMS)) },
    },
    {
      name: "no-barrels",
      comment: "imports name files: a folder's index.ts is for users",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^src/.*index[.]ts$" },
    },
    {
      name: "the-emulator-does-not-know-the-client",
      comment: "the emulator is the service: it knows schemas, the descriptions of endpoints, and signs like webhooks",
      severity: "error",
      from: { path: "^src/testing/(state|content|lifecycle|http|routes|deliveries|seed|controls|adapters)/" },
      to: { path: anyOf(["client", "resources", "transport", "lists", "media", "waiting"]) },
    },
    {
      name: "modules-of-node-are-for-node",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [
          "^src/node/",
          "^src/command/",
          "^src/testing/.*http-server.*[.]ts$",
          "^src/webhooks/http/node-listener[.]ts$",
        ],
      },
      to: { dependencyTypes: ["core"] },
    },
    ...Object.entries(LIBRARIES).map(([library, rooms]) => ({
      name: `${library}-only-where-it-belongs`,
      severity: "error",
      from: { path: "^src/", pathNot: anyOf(rooms) },
      to: { path: `(^|/)node_modules/${library}/` },
    })),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    combinedDependencies: true,
  },
};
