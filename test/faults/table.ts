/** The faults as docs/errors.md lists them. */
import { FAULTS, type Fault } from "./faults.js";

const AGAIN = { each: "yes", repeatable: "reads and repeatable writes", none: "no" } as const;

const endOf = ({ ending }: Fault): string => {
  if (ending === undefined) return "the call succeeds | |";
  return `\`${ending.error}\` | \`${ending.outcome}\` | ${AGAIN[ending.again]}`;
};

/** "status 400, status 401" → "status 400, 401". */
function joined(names: readonly string[]): string {
  let statusNamed = false;
  return names
    .map((name) => {
      if (!/^status \d+$/.test(name)) return name;
      if (statusNamed) return name.slice("status ".length);
      statusNamed = true;
      return name;
    })
    .join(", ");
}

/** One row for the faults of a group that end in the same way. */
export function faultTable(): string {
  const rows = new Map<string, string[]>();
  for (const fault of FAULTS) {
    const key = `${fault.group}\n${endOf(fault)}`;
    rows.set(key, [...(rows.get(key) ?? []), fault.name]);
  }
  const lines = [...rows].map(([key, names]) => {
    const [group, end] = key.split("\n") as [string, string];
    return `| ${group} | ${joined(names)} | ${end} |`.replace("| | |", "| | |");
  });
  return ["| where | failure | error | `outcome` | sent again |", "|---|---|---|---|---|", ...lines].join("\n");
}
