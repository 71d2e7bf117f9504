/**
 * The Vitest runner for mutation testing. Each test runs twice with the original code. The first run may load modules;
 * the second run records which mutants the test runs. Then the test runs once with each of these mutants that no test
 * has found yet. A mutant is found if the test fails or hangs with it, and passes again without it.
 *
 * All of this happens in one process that loads the modules once, because that is fast. So a mutant that runs only
 * while a module loads is not tried.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { type RunnerTestCase, TestRunner } from "vitest";
import { HOLDERS } from "./holders.js";
import type { Line } from "./record.js";

/** The global variable that the mutants in the sources read. */
interface Switches {
  activeMutant: string | undefined;
  currentTestId: string | undefined;
  hitCount: number;
  hitLimit: number;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

/** The real functions, because tests may replace the clock of the process. */
const { setTimeout, clearTimeout, performance } = globalThis;

const shared = globalThis as { __stryker__?: Switches };
const switches: Switches = shared.__stryker__ ?? {
  activeMutant: undefined,
  currentTestId: undefined,
  hitCount: 0,
  hitLimit: Number.POSITIVE_INFINITY,
};
shared.__stryker__ = switches;
const recordPath = process.env.MUTATION_RECORD ?? "";
/** The source file of each mutant. */
const sourceOf = JSON.parse(readFileSync(`${recordPath}.sources`, "utf8")) as Record<string, string>;
/**
 * The limits for a mutant that is not found: tries in total, tries of one test file, and time. After a limit is
 * reached, only the test files in `HOLDERS` try the mutant.
 */
const MAX_TRIES = 200;
const MAX_TRIES_A_FILE = 30;
const MAX_MS = 6_000;
/** A test that takes longer with the original code is left for later: slow tests try mutants after all quick tests. */
const SLOW_MS = Number(process.env.MUTATION_SLOW_MS ?? 3_000);
/** A mutant that runs this many times as often as in the original code causes an endless loop. */
const HIT_FACTOR = 100;
const CONTROLS = 3;

interface Spent {
  tries: number;
  ms: number;
  /** The test file of the last try, and how many tries in a row it has made. */
  file: string;
  triesOfFile: number;
}

const found = new Set<string>();
const spentOn = new Map<string, Spent>();
const finishedTests = new Set<string>();
/** The tests that an earlier process has left for later. */
const slowTests = new Set<string>();
function readLine(line: Line): void {
  if (line.what === "met" && line.passed && line.ms > SLOW_MS) slowTests.add(line.test);
  if (line.what === "found") found.add(line.mutant);
  if (line.what === "missed") spend(line.mutant, line.test, line.ms);
  if (line.what === "finished") finishedTests.add(line.test);
}

const fileOf = (test: string) => test.slice(0, test.indexOf("#"));

function spend(mutant: string, test: string, ms: number): void {
  const spent = spentOn.get(mutant) ?? { tries: 0, ms: 0, file: "", triesOfFile: 0 };
  const file = fileOf(test);
  spent.triesOfFile = spent.file === file ? spent.triesOfFile + 1 : 1;
  spent.file = file;
  spent.tries += 1;
  spent.ms += ms;
  spentOn.set(mutant, spent);
}

function isWorthATry(mutant: string, test: string): boolean {
  if (found.has(mutant)) return false;
  if (HOLDERS[sourceOf[mutant] ?? ""]?.includes(fileOf(test))) return true;
  const spent = spentOn.get(mutant);
  if (spent === undefined) return true;
  if (spent.tries >= MAX_TRIES || spent.ms >= MAX_MS) return false;
  return spent.file !== fileOf(test) || spent.triesOfFile < MAX_TRIES_A_FILE;
}

if (existsSync(recordPath)) {
  for (const text of readFileSync(recordPath, "utf8").split("\n")) {
    if (text !== "") readLine(JSON.parse(text) as Line);
  }
}

const write = (line: Line) => appendFileSync(recordPath, `${JSON.stringify(line)}\n`);

const loaded = new Set<string>();

function noteLoaded(mutants: string[]): void {
  const further = mutants.filter((mutant) => !loaded.has(mutant));
  if (further.length === 0) return;
  for (const mutant of further) loaded.add(mutant);
  write({ what: "loaded", mutants: further });
}

type Try =
  | { kind: "first" }
  | { kind: "as it is" }
  | { kind: "mutant"; mutant: string }
  | { kind: "control"; mutant: string; left: number };

export default class MutatingRunner extends TestRunner {
  #test = "";
  #tries: Try[] = [];
  #current: Try = { kind: "first" };
  #hits: Record<string, number> = {};
  #startedAt = 0;
  #isLeftForLater = false;
  #reloads = false;
  /** The time limit of the test, in milliseconds. */
  #limitMs = 60_000;

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    this.#test = nameOf(test);
    this.#reloads = readFileSync(test.file.filepath, "utf8").includes("resetModules(");
    if (finishedTests.has(this.#test) || slowTests.has(this.#test)) test.mode = "skip";
    if (test.mode !== "run" && test.mode !== "queued") return;
    write({ what: "begin", test: this.#test });
    this.#tries = [{ kind: "first" }, { kind: "as it is" }];
    this.#isLeftForLater = false;
    this.#limitMs = 60_000;
    // Vitest compares the number of repeats before each run, so the value is computed from the tries that are left.
    test.repeats = { valueOf: () => (this.#tries.length > 0 ? Number.POSITIVE_INFINITY : -1) } as unknown as number;
  }

  override onBeforeTryTask(test: RunnerTestCase): void {
    super.onBeforeTryTask(test);
    this.#current = this.#tries.shift() ?? { kind: "first" };
    this.#startedAt = performance.now();
    switches.hitCount = 0;
    if (this.#current.kind === "first" || this.#current.kind === "as it is") {
      switches.currentTestId = this.#test;
      return;
    }
    switches.currentTestId = "none";
    if (this.#current.kind === "control") return;
    const { mutant } = this.#current;
    write({ what: "try", test: this.#test, mutant });
    switches.hitLimit = HIT_FACTOR * (this.#hits[mutant] ?? 1) + 1_000;
    switches.activeMutant = mutant;
  }

  /** Runs the body of a test with a time limit, because a mutant may make it hang. */
  async runTask(test: RunnerTestCase): Promise<void> {
    const body = TestRunner.getTestFn(test);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`did not end within ${this.#limitMs} ms`)), this.#limitMs);
    });
    try {
      await Promise.race([body(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async onAfterRetryTask(test: RunnerTestCase): Promise<void> {
    switches.activeMutant = undefined;
    switches.currentTestId = "none";
    const ms = performance.now() - this.#startedAt;
    const passed = test.result?.state === "pass";
    const message = test.result?.errors?.[0]?.message ?? "";
    if (test.result !== undefined) {
      test.result.state = "run";
      delete test.result.errors;
    }
    if (this.#current.kind === "first") this.#noteFirst(passed, message);
    else if (this.#current.kind === "as it is") this.#plan(passed, ms, message);
    else if (this.#current.kind === "mutant") this.#judge(this.#current.mutant, passed, ms, message);
    else await this.#control(this.#current, passed);
    if (this.#tries.length > 0) return;
    switches.currentTestId = undefined;
    if (!this.#isLeftForLater) write({ what: "finished", test: this.#test });
    if (test.result !== undefined) test.result.state = "pass";
  }

  /**
   * After the first run: records the mutants that ran. Those that do not run again in the second run have run only
   * while a module loaded.
   */
  #noteFirst(passed: boolean, message: string): void {
    const coverage = switches.mutantCoverage;
    this.#metFirst = Object.keys(coverage?.perTest[this.#test] ?? {});
    noteLoaded(Object.keys(coverage?.static ?? {}));
    if (coverage !== undefined) coverage.perTest = {};
    if (passed) return;
    const reloads = this.#reloads;
    write({ what: "met", test: this.#test, ms: 0, passed, reloads, mutants: this.#metFirst, message });
    this.#tries = [];
  }
  #metFirst: string[] = [];

  /** After the second run: plans a try for each mutant that ran. */
  #plan(passed: boolean, ms: number, message: string): void {
    const coverage = switches.mutantCoverage;
    this.#hits = coverage?.perTest[this.#test] ?? {};
    const met = Object.keys(this.#hits);
    const reloads = this.#reloads;
    write({ what: "met", test: this.#test, ms, passed, reloads, mutants: met, ...(!passed && { message }) });
    noteLoaded(this.#metFirst.filter((mutant) => this.#hits[mutant] === undefined));
    if (coverage !== undefined) coverage.perTest = {};
    if (!passed) return;
    this.#isLeftForLater = ms > SLOW_MS;
    if (this.#isLeftForLater) return;
    this.#limitMs = 2_000 + 10 * ms;
    this.#tries = met.filter((mutant) => isWorthATry(mutant, this.#test)).map((mutant) => ({ kind: "mutant", mutant }));
  }

  #judge(mutant: string, passed: boolean, ms: number, message: string): void {
    if (passed) {
      spend(mutant, this.#test, ms);
      write({ what: "missed", test: this.#test, mutant, ms });
      return;
    }
    this.#message = message;
    this.#tries.unshift({ kind: "control", mutant, left: CONTROLS });
  }
  #message = "";

  /** After a test failed with a mutant: the mutant counts as found only if the test passes without it. */
  async #control({ mutant, left }: { mutant: string; left: number }, passed: boolean): Promise<void> {
    if (passed) {
      found.add(mutant);
      write({ what: "found", test: this.#test, mutant, message: this.#message.slice(0, 200) });
      return;
    }
    if (left > 1) {
      // Work that the mutant started may need a moment to end.
      await new Promise((resolve) => setTimeout(resolve, 100));
      this.#tries.unshift({ kind: "control", mutant, left: left - 1 });
      return;
    }
    write({ what: "doubtful", test: this.#test, mutant, message: this.#message.slice(0, 200) });
    this.#tries = [];
  }
}

function nameOf(test: RunnerTestCase): string {
  const root = process.env.MUTATION_ROOT ?? process.cwd();
  return `${relative(root, test.file.filepath)}#${test.id}#${test.fullTestName ?? test.name}`;
}
