/** Renders the report as text. */
import type { Check, Report, Verdict } from "./report.js";

const COLORS: Readonly<Record<Verdict, number>> = { confirmed: 32, differs: 31, undecided: 33 };
const VERDICT_WIDTH = 9;
const SOURCE_WIDTH = 10;
/** The maximum number of listed fields. The others are counted. */
const MAX_FIELDS = 20;

function renderTable(checks: readonly Check[], color: boolean): string[] {
  const idWidth = Math.max(...checks.map(({ id }) => id.length), "name".length);
  const row = (id: string, verdict: string, source: string, detail: string) =>
    [id.padEnd(idWidth), verdict, source.padEnd(SOURCE_WIDTH), detail].join("  ");
  const colored = (verdict: Verdict) => {
    const text = verdict.padEnd(VERDICT_WIDTH);
    return color ? `\x1b[${COLORS[verdict]}m${text}\x1b[0m` : text;
  };
  return [
    row("name", "verdict".padEnd(VERDICT_WIDTH), "source", "what the service showed"),
    ...checks.map(({ id, verdict, source, detail }) => row(id, colored(verdict), source, detail)),
  ];
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

function renderDrift({ drift }: Report): string[] {
  if (drift.length === 0) return [];
  const lines = drift.map(
    ({ operation, path, expected, received, count }) =>
      `  ${operation} ${path || "(all)"}: expected ${expected}, received ${received}, ${times(count)}`,
  );
  return ["", "Responses that do not match the API specification:", ...lines];
}

function renderFields({ fields }: Report): string[] {
  const unknown = fields.filter(({ known }) => !known);
  if (unknown.length === 0) return [];
  const lines = unknown
    .slice(0, MAX_FIELDS)
    .map(({ operation, path, kinds }) => `  ${operation} ${path}: ${kinds.join(", ")}`);
  const more = unknown.length > MAX_FIELDS ? [`  and ${unknown.length - MAX_FIELDS} more`] : [];
  return ["", "Fields that this library does not know:", ...lines, ...more];
}

/** The client's `assumptions` option as code, ready to paste. Every key is an identifier, and needs no quotes. */
function renderAssumptions({ assumptions }: Report): string[] {
  if (Object.keys(assumptions).length === 0) return [];
  const source = JSON.stringify(assumptions, undefined, 2).replace(/^( *)"(\w+)":/gm, "$1$2:");
  return ["", "Pass this option to the client, new Notetaker({ … }):", "", `assumptions: ${source},`];
}

export function renderReport(report: Report, color: boolean): string {
  const { checks, requests } = report;
  const count = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length;
  const summary =
    `${checks.length} names: ${count("confirmed")} confirmed, ${count("differs")} differ, ` +
    `${count("undecided")} undecided; ${requests} requests`;
  return [
    ...renderTable(checks, color),
    ...renderDrift(report),
    ...renderFields(report),
    ...renderAssumptions(report),
    "",
    summary,
  ].join("\n");
}
