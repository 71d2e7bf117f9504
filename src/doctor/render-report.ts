import type { Report, Verdict } from "./report.js";

const COLORS: Readonly<Record<Verdict, number>> = { confirmed: 32, differs: 31, undecided: 33 };
const VERDICT_WIDTH = 9;
const SOURCE_WIDTH = 10;

export function renderReport({ checks, requests }: Report, color: boolean): string {
  const idWidth = Math.max(...checks.map(({ id }) => id.length));
  const row = (id: string, verdict: string, source: string, detail: string) =>
    [id.padEnd(idWidth), verdict, source.padEnd(SOURCE_WIDTH), detail].join("  ");
  const colored = (verdict: Verdict) => {
    const text = verdict.padEnd(VERDICT_WIDTH);
    return color ? `\x1b[${COLORS[verdict]}m${text}\x1b[0m` : text;
  };
  const count = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length;
  return [
    row("name", "verdict".padEnd(VERDICT_WIDTH), "source", "what the service showed"),
    ...checks.map(({ id, verdict, source, detail }) => row(id, colored(verdict), source, detail)),
    "",
    `${checks.length} names: ${count("confirmed")} confirmed, ${count("differs")} differ, ` +
      `${count("undecided")} undecided; ${requests} requests`,
  ].join("\n");
}
