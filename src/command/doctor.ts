/** `notetaker-sdk doctor`: runs the diagnosis, prints the report, and decides the exit code. */
import { Notetaker } from "../client.js";
import { diagnose } from "../doctor/diagnose.js";
import { renderReport } from "../doctor/render-report.js";
import type { Check } from "../doctor/report.js";
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
  const color = stdout.isTTY === true && !env.NO_COLOR;
  stdout.write(`${json ? JSON.stringify(report, null, 2) : renderReport(report, color)}\n`);
  return checks.some(({ verdict }) => verdict === "differs") ? 1 : 0;
}

export const doctor: Command = { help: HELP, run, failureCode: 2 };
