/** `notetaker-sdk doctor`: runs the diagnosis, prints the report, and decides the exit code. */
import { Notetaker } from "../client.js";
import { diagnose } from "../doctor/diagnose.js";
import type { Check, Report, Verdict } from "../doctor/report.js";
import { requiredBaseUrl, requiredVariable } from "./account-options.js";
import { type Command, type CommandContext, CommandError, parseFlags } from "./command.js";

const OPTIONS = { json: { type: "boolean", default: false }, "base-url": { type: "string" } } as const;

const HELP = `npx notetaker-sdk doctor [options]

Finds out which parameter names your service honours.

  --json            prints the report as JSON
  --base-url <url>  the service's base URL, ending in /v1  (default: NOTETAKER_BASE_URL)

The token is read from NOTETAKER_TOKEN. At most 60 requests are sent, all of them GET.
Exit code 0: nothing differs; 1: something differs; 2: nothing could be found out.`;

async function run(args: string[], { env, stdout, stderr, signal }: CommandContext): Promise<number> {
  const { json, "base-url": ownBaseUrl } = parseFlags(args, OPTIONS).values;
  const token = requiredVariable(env, "NOTETAKER_TOKEN");
  const baseUrl = requiredBaseUrl(env, ownBaseUrl);
  let count = 0;
  // A terminal shows the progress on one line, which is cleared at the end.
  const onCheck = ({ id }: Check) => {
    count += 1;
    if (stderr.isTTY === true) stderr.write(`\r\x1b[K${count}: ${id}`);
  };
  const report = await diagnose(new Notetaker({ token, baseUrl }), { signal, onCheck }).finally(() => {
    if (stderr.isTTY === true && count > 0) stderr.write("\r\x1b[K");
  });
  const { checks } = report;
  if (checks.every(({ verdict }) => verdict === "undecided")) {
    throw new CommandError(`nothing could be found out: ${checks[0]?.detail}`);
  }
  stdout.write(`${json ? JSON.stringify(report, null, 2) : tableOf(report)}\n`);
  return checks.some(({ verdict }) => verdict === "differs") ? 1 : 0;
}

const VERDICT_WIDTH = 9;
const SOURCE_WIDTH = 10;

function tableOf({ checks, requests }: Report): string {
  const idWidth = Math.max(...checks.map(({ id }) => id.length));
  const row = (id: string, verdict: string, source: string, detail: string) =>
    [id.padEnd(idWidth), verdict.padEnd(VERDICT_WIDTH), source.padEnd(SOURCE_WIDTH), detail].join("  ");
  const count = (verdict: Verdict) => checks.filter((check) => check.verdict === verdict).length;
  return [
    row("name", "verdict", "source", "what the service showed"),
    ...checks.map(({ id, verdict, source, detail }) => row(id, verdict, source, detail)),
    "",
    `${checks.length} names: ${count("confirmed")} confirmed, ${count("differs")} differ, ` +
      `${count("undecided")} undecided; ${requests} requests`,
  ].join("\n");
}

export const doctor: Command = { help: HELP, run, failureCode: 2 };
