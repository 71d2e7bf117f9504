/** Writes the report: the scores as a table, the missed mutants as a list, and all mutants as an HTML page. */
import { writeFileSync } from "node:fs";
import { AREAS, type Area } from "./areas.js";
import type { Status, Verdict } from "./judge.js";
import { reportScript } from "./mutants.js";

const count = (verdicts: Verdict[], ...statuses: Status[]) =>
  verdicts.filter(({ status }) => statuses.includes(status)).length;

/** The share of found mutants, in percent. Ignored mutants do not count. */
const scoreOf = (verdicts: Verdict[]) => {
  const counted = verdicts.length - count(verdicts, "Ignored");
  return counted === 0 ? 100 : (100 * count(verdicts, "Killed", "Timeout")) / counted;
};

function row(name: string, verdicts: Verdict[], verdict: string): string {
  const numbers = [
    count(verdicts, "Killed"),
    count(verdicts, "Timeout"),
    count(verdicts, "Survived"),
    count(verdicts, "NoCoverage"),
    count(verdicts, "Ignored"),
  ];
  const cells = numbers.map((number) => String(number).padStart(10)).join("");
  return `${name.padEnd(12)}${`${scoreOf(verdicts).toFixed(1)} %`.padStart(9)}${cells}  ${verdict}`;
}

/** @returns whether each area reached its score */
export function printScores(done: [name: string, area: Area, verdicts: Verdict[]][]): boolean {
  const heads = ["found", "endless", "missed", "not met", "left out"].map((head) => head.padStart(10)).join("");
  console.log(`${"area".padEnd(12)}${"score".padStart(9)}${heads}`);
  let passed = true;
  for (const [name, { atLeast }, verdicts] of done) {
    const reached = scoreOf(verdicts) >= atLeast;
    passed &&= reached;
    console.log(row(name, verdicts, `${reached ? "passed" : "FAILED"}: at least ${atLeast} %`));
  }
  const all = done.flatMap(([, , verdicts]) => verdicts);
  if (done.length > 1) {
    const complete = done.length === Object.keys(AREAS).length;
    console.log(row("all", all, complete ? "" : "of the areas that ran"));
  }
  return passed;
}

function describe({ mutant, status, missedBy }: Verdict): string {
  const { line, column } = mutant.location.start;
  const tests = status === "NoCoverage" ? "no test meets it" : `${missedBy} tests miss it`;
  return `${mutant.file}:${line}:${column} ${mutant.mutator}, ${tests}\n- ${mutant.original}\n+ ${mutant.replacement}\n`;
}

/** Writes the list of missed mutants, and the page with all mutants. */
export function writeReport(folder: string, name: string, sources: Map<string, string>, verdicts: Verdict[]): void {
  const missed = verdicts.filter(({ status }) => status === "Survived" || status === "NoCoverage");
  writeFileSync(`${folder}/${name}.missed.txt`, missed.map(describe).join("\n"));
  const files = Object.fromEntries(
    [...sources].map(([file, source]) => [
      file,
      {
        language: "typescript",
        source,
        mutants: verdicts
          .filter(({ mutant }) => mutant.file === file)
          .map(({ mutant, status, test, message }) => ({
            id: mutant.id,
            mutatorName: mutant.mutator,
            replacement: mutant.replacement,
            location: mutant.location,
            status,
            statusReason: [test, message].filter(Boolean).join(": "),
          })),
      },
    ]),
  );
  const report = { schemaVersion: "2", thresholds: { high: 90, low: 85 }, files };
  const json = JSON.stringify(report).replaceAll("<", "\\u003c");
  writeFileSync(`${folder}/${name}.json`, JSON.stringify(report));
  writeFileSync(
    `${folder}/${name}.html`,
    `<!doctype html><meta charset="utf-8"><title>Mutants of ${name}</title><script>${reportScript()}</script>
<mutation-test-report-app title-postfix="${name}"></mutation-test-report-app>
<script>document.querySelector("mutation-test-report-app").report = ${json};</script>`,
  );
}
