/**
 * Prints the cost of validating a response beside parsing it: `validation.mjs [ROUNDS]`. CPU time in units of
 * `JSON.parse` of the same text, for the client's validation (with compiled schemas) and for zod alone. All run in turn
 * in one process.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const rounds = Number(process.argv[2] ?? 15);

const SOURCES = `
  export { safeParse } from "zod/mini";
  export { plainPage } from "./src/schemas/page-rows.js";
  export { roomSchema } from "./src/schemas/room.js";
  export { transcriptSchema } from "./src/schemas/transcript.js";
`;

/** Takes the file that compiles schemas, as the build for Node does. */
const withCompiledSchemas = {
  name: "compiled schemas",
  setup({ onResolve }) {
    onResolve({ filter: /\/compiled-schema\.js$/ }, ({ resolveDir }) => ({
      path: `${resolveDir}/compiled-schema.node.ts`,
    }));
  },
};

/** Bundles the internal modules that are measured, because the package does not export them. */
async function sources(plugins) {
  const { outputFiles } = await build({
    stdin: { contents: SOURCES, resolveDir: fileURLToPath(new URL("../..", import.meta.url)) },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2022",
    plugins,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

const ours = await sources([withCompiledSchemas]);
const plain = await sources([]);

const meeting = (room, index) => ({
  id: `mtg_${room}_${index}_6f1a2b3c4d`,
  title: `Weekly sync ${index}`,
  status: "completed",
  source: "zoom",
  start_time: "2026-03-04T10:00:00+00:00",
  duration: 1800,
});

const room = (index) => ({
  id: `room_${index}_6f1a2b3c4d`,
  title: `Room ${index}`,
  created_at: "2026-01-02T03:04:05+00:00",
  updated_at: "2026-02-02T03:04:05+00:00",
  meeting_count: 10,
  share_url: null,
  meetings: Array.from({ length: 10 }, (_, number) => meeting(index, number)),
});

const segment = (index) => ({
  speaker_id: `spk_${index % 2}`,
  start_time: index * 1.5,
  end_time: index * 1.5 + 1.25,
  text: "So what we want to do here is look at the numbers of last week.",
});

/** `times` is the number of runs in a round. A round takes some tens of milliseconds. */
const CASES = {
  "100 rooms of 10 meetings": {
    schemaOf: ({ plainPage, roomSchema }) => plainPage(roomSchema),
    value: { data: Array.from({ length: 100 }, (_, index) => room(index)), next_cursor: null, has_more: false },
    times: 40,
  },
  "50,000 segments": {
    schemaOf: ({ transcriptSchema }) => transcriptSchema,
    value: {
      meeting_id: "mtg_1",
      language: "en",
      speakers: [0, 1].map((index) => ({ id: `spk_${index}`, name: `Speaker ${index}` })),
      segments: Array.from({ length: 50_000 }, (_, index) => segment(index)),
    },
    times: 2,
  },
};

function cpuMilliseconds(run, times) {
  const before = process.cpuUsage();
  for (let count = 0; count < times; count += 1) run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / times;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const rows = {};
for (const [name, { schemaOf, value, times }] of Object.entries(CASES)) {
  const text = JSON.stringify(value);
  const parsed = JSON.parse(text);
  const validate = (modules) => {
    const schema = schemaOf(modules);
    return () => {
      if (!modules.safeParse(schema, parsed).success) throw new Error(`${name}: invalid`);
    };
  };
  const runs = [() => JSON.parse(text), validate(ours), validate(plain)];
  for (const run of runs) cpuMilliseconds(run, times * 3);
  const measured = Array.from({ length: rounds }, () => runs.map((run) => cpuMilliseconds(run, times)));
  rows[name] = {
    parse: median(measured.map(([json]) => json)),
    validated: median(measured.map(([json, ours]) => ours / json)),
    zod: median(measured.map(([json, , zod]) => zod / json)),
  };
}
console.log(JSON.stringify(rows));
