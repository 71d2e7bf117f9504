/** The faults as docs/errors.md lists them. */
import { FAULTS, type Fault } from "./faults.js";

const AGAIN = { each: "yes", repeatable: "reads and repeatable writes", none: "no" } as const;

const endOf = ({ ending }: Fault): string => {
  if (ending === undefined) return "the call succeeds | |";
  return `\`${ending.error}\` | \`${ending.outcome}\` | ${AGAIN[ending.again]}`;
};

/** The guide has a table of the error classes, which says what becomes of a status. */
const DOCUMENTED_BY_STATUS = ["Statuses", "Rate limits"];

/** One row for the faults that end in the same way. */
export function faultTable(): string {
  const rows = new Map<string, string[]>();
  for (const fault of FAULTS) {
    if (DOCUMENTED_BY_STATUS.includes(fault.group)) continue;
    const end = endOf(fault);
    rows.set(end, [...(rows.get(end) ?? []), fault.name]);
  }
  const lines = [...rows].map(([end, names]) => `| ${names.join(", ")} | ${end} |`);
  return ["| failure | error | `outcome` | sent again |", "|---|---|---|---|", ...lines].join("\n");
}
