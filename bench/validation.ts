/**
 * What validating a response costs beside parsing it: CPU time in units of `JSON.parse` of the same text, with our quick
 * answer ahead of zod, and with zod alone.
 *
 * Run with `npx tsx bench/validation.ts`; exits with 1 where a median is above what is allowed.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type * as z from "zod/mini";

const SOURCES = `
  export { safeParse } from "zod/mini";
  export { plainPage } from "../src/schemas/page-rows.js";
  export { parse } from "../src/schemas/parse.js";
  export { roomSchema } from "../src/schemas/room.js";
  export { transcriptSchema } from "../src/schemas/transcript.js";
`;

interface Sources {
  readonly safeParse: typeof z.safeParse;
  readonly plainPage: typeof import("../src/schemas/page-rows.js").plainPage;
  readonly parse: typeof import("../src/schemas/parse.js").parse;
  readonly roomSchema: z.core.$ZodType;
  readonly transcriptSchema: z.core.$ZodType;
}

/** The sources as a user gets them: what tsx makes of them is slower. */
async function built(): Promise<Sources> {
  const { outputFiles } = await build({
    stdin: { contents: SOURCES, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "es2022",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.text ?? "").toString("base64")}`);
}

const { safeParse, plainPage, parse, roomSchema, transcriptSchema } = await built();

const ROUNDS = 15;

const meeting = (room: number, index: number) => ({
  id: `mtg_${room}_${index}_6f1a2b3c4d`,
  title: `Weekly sync ${index}`,
  status: "completed",
  source: "zoom",
  start_time: "2026-03-04T10:00:00+00:00",
  duration: 1800,
});

const room = (index: number) => ({
  id: `room_${index}_6f1a2b3c4d`,
  title: `Room ${index}`,
  created_at: "2026-01-02T03:04:05+00:00",
  updated_at: "2026-02-02T03:04:05+00:00",
  meeting_count: 10,
  share_url: null,
  meetings: Array.from({ length: 10 }, (_, number) => meeting(index, number)),
});

const segment = (index: number) => ({
  speaker_id: `spk_${index % 2}`,
  start_time: index * 1.5,
  end_time: index * 1.5 + 1.25,
  text: "So what we want to do here is look at the numbers of last week.",
});

interface Case {
  readonly name: string;
  readonly schema: z.core.$ZodType;
  readonly value: unknown;
  /** How often in a round, so that a round takes some tens of milliseconds. */
  readonly times: number;
  /** In units of `JSON.parse`. */
  readonly allowed: number;
}

const CASES: readonly Case[] = [
  {
    name: "100 rooms of 10 meetings",
    schema: plainPage(roomSchema),
    value: { data: Array.from({ length: 100 }, (_, index) => room(index)), next_cursor: null, has_more: false },
    times: 40,
    allowed: 0.5,
  },
  {
    name: "50,000 segments",
    schema: transcriptSchema,
    value: {
      meeting_id: "mtg_1",
      language: "en",
      speakers: [0, 1].map((index) => ({ id: `spk_${index}`, name: `Speaker ${index}` })),
      segments: Array.from({ length: 50_000 }, (_, index) => segment(index)),
    },
    times: 2,
    allowed: 0.3,
  },
];

function cpuMilliseconds(run: () => unknown, times: number): number {
  const start = process.cpuUsage();
  for (let count = 0; count < times; count += 1) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / times;
}

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
const median = (numbers: readonly number[]) => sorted(numbers)[numbers.length >> 1] ?? Number.NaN;
/** The median, and the middle half of the rounds. */
function withSpread(ratios: readonly number[]): string {
  const ordered = sorted(ratios);
  const [low, high] = [ordered[ordered.length >> 2], ordered[(ordered.length * 3) >> 2]];
  return `${median(ratios).toFixed(2)} (${low?.toFixed(2)} to ${high?.toFixed(2)})`;
}

for (const { name, schema, value, times, allowed } of CASES) {
  const text = JSON.stringify(value);
  const parsed: unknown = JSON.parse(text);
  if (parse(schema, parsed).data !== parsed) throw new Error(`${name}: not the value itself`);
  const runs = [() => JSON.parse(text), () => parse(schema, parsed), () => safeParse(schema, parsed)];
  for (const run of runs) cpuMilliseconds(run, times * 3);
  const rounds = Array.from({ length: ROUNDS }, () => runs.map((run) => cpuMilliseconds(run, times)));
  const ratiosOf = (index: number) => rounds.map((round) => (round[index] ?? 0) / (round[0] ?? 0));
  const quick = ratiosOf(1);
  console.log(
    `${name}: JSON.parse ${median(rounds.map(([base = 0]) => base)).toFixed(2)} ms of CPU; in units of that: validated ` +
      `${withSpread(quick)}, allowed ${allowed}; by zod alone ${withSpread(ratiosOf(2))}`,
  );
  if (median(quick) > allowed) process.exitCode = 1;
}
