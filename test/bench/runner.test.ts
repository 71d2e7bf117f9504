/** The runner of `npm run bench`, with programs that measure nothing. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";

type Round = Record<string, Record<string, number>>;
interface Description {
  rounds: Record<string, number>;
  warmUp?: boolean;
  programs(): { row?: string; program: string; args?: string[] }[];
  start?(): Promise<{ values: Record<string, string>; stop(): void }>;
}

const bench = (path: string) => new URL(`../../bench/${path}`, import.meta.url);
const module = async <Exports>(path: string): Promise<Exports> => import(bench(path).href);
const { measureCase } = await module<{
  measureCase(description: Description, options: { node: string; mode: string }): Promise<Round[]>;
}>("runner/measure-case.mjs");
const { median, summarize, ratiosOf } = await module<{
  median(values: number[]): number;
  summarize(values: number[]): { median: number; low: number; high: number } | undefined;
  ratiosOf(rounds: Round[], row: string, base: string, metric: string): number[];
}>("runner/statistics.mjs");
const { caseTable } = await module<{ caseTable(description: object, entry: object): string }>("report/tables.mjs");

type Case = { title: string; figures?: object[]; programs(): object[] };
const { figuresOnly } = await module<{ figuresOnly(description: Case): Case | undefined }>("runner/cases.mjs");
const { findDisagreements } = await module<{
  findDisagreements(descriptions: object[], now: object, last: object): { compared: number; lines: string[] };
}>("runner/compare-runs.mjs");

const folder = mkdtempSync(join(tmpdir(), "notetaker-bench-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Prints how many programs ran before this one, and its own argument. */
const counting = join(folder, "counting.mjs");
writeFileSync(
  counting,
  `import { appendFileSync, readFileSync } from "node:fs";
   const [log, row] = process.argv.slice(2);
   appendFileSync(log, row);
   console.log("for people");
   console.log(JSON.stringify({ order: readFileSync(log, "utf8").length }));`,
);
const options = { node: process.execPath, mode: "quick" };

test("each program runs once a round, in its own process, and the order changes from round to round", async () => {
  const log = join(folder, "order");
  const stop = vi.fn();
  const rounds = await measureCase(
    {
      rounds: { quick: 2 },
      programs: () => ["a", "b", "c"].map((row) => ({ row, program: counting, args: ["LOG", row] })),
      start: async () => ({ values: { LOG: log }, stop }),
    },
    options,
  );
  expect(rounds).toEqual([
    { a: { order: 1 }, b: { order: 2 }, c: { order: 3 } },
    { b: { order: 4 }, c: { order: 5 }, a: { order: 6 } },
  ]);
  expect(rounds.map((round) => Object.keys(round).join(""))).toEqual(["abc", "abc"]);
  expect(stop).toHaveBeenCalledOnce();
});

test("the warm-up round is not counted", async () => {
  const log = join(folder, "warm-up");
  const programs = () => [{ row: "a", program: counting, args: [log, "a"] }];
  expect(await measureCase({ rounds: { quick: 1 }, warmUp: true, programs }, options)).toEqual([{ a: { order: 2 } }]);
});

test("a program that fails ends the case, and what the case started is stopped", async () => {
  const failing = join(folder, "failing.mjs");
  writeFileSync(failing, 'throw new Error("the peer has changed")');
  const stop = vi.fn();
  const start = async () => ({ values: {}, stop });
  const measured = measureCase({ rounds: { quick: 1 }, programs: () => [{ program: failing }], start }, options);
  await expect(measured).rejects.toThrow("the peer has changed");
  expect(stop).toHaveBeenCalledOnce();
});

test("a second version of Node measures only the rows that figures need, and skips a case without figures", () => {
  const rows = ["fetch", "ky", "ours", "theirs"].map((row) => ({ row, program: counting }));
  const several = { program: counting };
  const figures = [{ title: "ours beside ky", row: "ours", base: "ky", metric: "cpu" }];
  const reduced = figuresOnly({ title: "A call", figures, programs: () => [...rows, several] });
  expect(reduced?.programs()).toEqual([rows[1], rows[2], several]);
  expect(reduced).toMatchObject({ title: "A call", figures });
  expect(figuresOnly({ title: "A call", programs: () => rows })).toBeUndefined();
});

test("a ratio compares two rows of the same round, and its spread runs from the lowest round to the highest", () => {
  const rounds = [
    { fetch: { cpu: 100 }, ours: { cpu: 150 } },
    { fetch: { cpu: 400 }, ours: { cpu: 480 } },
    { fetch: { cpu: 100 }, ours: { cpu: 130 } },
  ];
  const ratios = ratiosOf(rounds, "ours", "fetch", "cpu");
  expect(ratios).toEqual([1.5, 1.2, 1.3]);
  expect(summarize(ratios)).toEqual({ median: 1.3, low: 1.2, high: 1.5 });
  expect(median([4, 1, 3, 2])).toBe(2.5);
  const description = { baseline: "fetch", metrics: { cpu: { title: "CPU, µs" } }, does: { ours: "validates" } };
  expect(caseTable(description, { rounds, versions: { ours: "1.2.3" } }).split("\n")).toEqual([
    "|  | CPU, µs | beside fetch | what it does |",
    "| --- | ---: | ---: | --- |",
    "| fetch | 100 | 1.00 |  |",
    "| ours 1.2.3 | 150 | 1.30 (1.20 to 1.50) | validates |",
  ]);
});

test("two runs agree on a ratio if their spreads overlap", () => {
  const description = { name: "calls", baseline: "fetch", metrics: { cpu: { title: "CPU, µs" } } };
  const run = (...values: number[]) => ({
    20: { calls: { rounds: values.map((cpu) => ({ fetch: { cpu: 100 }, ours: { cpu } })) } },
  });
  expect(findDisagreements([description], run(120, 130), run(133, 150))).toEqual({ compared: 1, lines: [] });
  expect(findDisagreements([description], run(120, 130), run(140, 150))).toEqual({
    compared: 1,
    lines: ["  calls, ours: CPU, µs beside fetch: 1.45 (1.40 to 1.50), now 1.25 (1.20 to 1.30)"],
  });
});

test.each(["programs/api-server.mjs", "programs/media-server.mjs"])(
  "%s exits when the process that started it disconnects",
  async (program) => {
    const server = fork(fileURLToPath(bench(program)), [counting], { execArgv: [] });
    onTestFinished(() => void server.kill());
    const [port] = await once(server, "message");
    expect((await fetch(`http://127.0.0.1:${port}/notetaker/v1/rooms`)).status).toBe(200);
    server.disconnect();
    const [exitCode] = await once(server, "exit");
    expect(exitCode).toBe(0);
  },
);
