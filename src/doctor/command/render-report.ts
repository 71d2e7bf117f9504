/** Renders the report as text, for a terminal of any width. */
import type { Check, Report, Verdict } from "../report.js";
import { assumptionsSource } from "./assumptions-source.js";

export interface RenderOptions {
  /** The width of the terminal in columns. No line is longer, except code to paste. */
  readonly width: number;
  readonly color: boolean;
}

const COLORS: Readonly<Record<Verdict, number>> = { confirmed: 32, differs: 31, undecided: 33 };
const VERDICT_WIDTH = 9;
const SOURCE_WIDTH = 10;
const GAP = "  ";
/** If the last column would be narrower than this, details are printed below their check. */
const MIN_DETAIL_WIDTH = 24;
/** The maximum number of listed fields. The others are counted. */
const MAX_FIELDS = 20;

/** Splits a text into lines of at most `width` characters, between words if possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    let rest = word;
    if (line !== "" && line.length + 1 + rest.length > width) {
      lines.push(line);
      line = "";
    }
    while (line === "" && rest.length > width) {
      lines.push(rest.slice(0, width));
      rest = rest.slice(width);
    }
    line = line === "" ? rest : `${line} ${rest}`;
  }
  return [...lines, line];
}

const indented = (text: string, width: number) => wrap(text, width - GAP.length).map((line) => `${GAP}${line}`);

const colored = (text: string, verdict: Verdict, color: boolean) =>
  color ? `\x1b[${COLORS[verdict]}m${text}\x1b[0m` : text;

function renderTable(checks: readonly Check[], { width, color }: RenderOptions): string[] {
  const idWidth = Math.max(...checks.map(({ id }) => id.length), "name".length);
  const detailWidth = width - idWidth - VERDICT_WIDTH - SOURCE_WIDTH - 3 * GAP.length;
  if (detailWidth < MIN_DETAIL_WIDTH) return renderStacked(checks, { width, color });
  const row = (id: string, verdict: string, source: string, detail: string) =>
    [id.padEnd(idWidth), verdict, source.padEnd(SOURCE_WIDTH), detail].join(GAP).trimEnd();
  const lines = [row("name", "verdict".padEnd(VERDICT_WIDTH), "source", "what the service showed")];
  for (const { id, verdict, source, detail } of checks) {
    const [first = "", ...others] = wrap(detail, detailWidth);
    lines.push(row(id, colored(verdict.padEnd(VERDICT_WIDTH), verdict, color), source, first));
    for (const line of others) lines.push(row("", " ".repeat(VERDICT_WIDTH), "", line));
  }
  return lines;
}

/** Prints details below their check, for a narrow terminal. */
const renderStacked = (checks: readonly Check[], { width, color }: RenderOptions): string[] =>
  checks.flatMap(({ id, verdict, source, detail }) => [
    `${id}: ${colored(verdict, verdict, color)} (${source})`,
    ...indented(detail, width),
  ]);

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

function renderDrift({ drift }: Report, width: number): string[] {
  if (drift.length === 0) return [];
  const lines = drift.flatMap(({ operation, path, expected, received, count }) =>
    indented(`${operation} ${path || "(all)"}: expected ${expected}, received ${received}, ${times(count)}`, width),
  );
  return ["", ...wrap("Responses that do not match the API specification:", width), ...lines];
}

function renderFields({ fields }: Report, width: number): string[] {
  const unknown = fields.filter(({ known }) => !known);
  if (unknown.length === 0) return [];
  const lines = unknown
    .slice(0, MAX_FIELDS)
    .flatMap(({ operation, path, kinds }) => indented(`${operation} ${path}: ${kinds.join(", ")}`, width));
  const more = unknown.length > MAX_FIELDS ? indented(`and ${unknown.length - MAX_FIELDS} more`, width) : [];
  return ["", ...wrap("Fields that this library does not know:", width), ...lines, ...more];
}

function renderAssumptions({ assumptions }: Report, width: number): string[] {
  if (Object.keys(assumptions).length === 0) return [];
  return [
    "",
    ...wrap("Pass this option to the client, new Notetaker({ … }):", width),
    "",
    assumptionsSource(assumptions),
  ];
}

export function renderReport(report: Report, options: RenderOptions): string {
  const { checks, requests } = report;
  const count = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length;
  const summary =
    `${checks.length} names: ${count("confirmed")} confirmed, ${count("differs")} differ, ` +
    `${count("undecided")} undecided; ${requests} requests`;
  return [
    ...renderTable(checks, options),
    ...renderDrift(report, options.width),
    ...renderFields(report, options.width),
    ...renderAssumptions(report, options.width),
    "",
    ...wrap(summary, options.width),
  ].join("\n");
}
