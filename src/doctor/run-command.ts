/** Runs the diagnosis for the command line: prints the report, and decides the exit code. */
import { Notetaker } from "../client.js";
import { readArguments, UsageError } from "../command-line.js";
import { VERSION } from "../configuration/version.js";
import { diagnose } from "./diagnose.js";
import { renderReport } from "./render-report.js";
import type { Check, Report } from "./report.js";

const OPTIONS = {
  json: { type: "boolean", default: false },
  "base-url": { type: "string" },
  help: { type: "boolean" },
  version: { type: "boolean" },
} as const;

const HELP = `notetaker-doctor: finds out which parameter names your service honours

  --json            prints the report as JSON
  --base-url <url>  the service's base URL, ending in /v1  (default: NOTETAKER_BASE_URL)
  --version, --help

The token is read from NOTETAKER_TOKEN. At most 60 requests are sent, all of them GET.
Exit code 0: nothing differs; 1: something differs; 2: the diagnosis failed.`;

/** The parts of a process that the command uses. */
export interface CommandProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
}

const differs = ({ checks, drift }: Report) => drift.length > 0 || checks.some(({ verdict }) => verdict === "differs");

function optionsIn(args: string[]) {
  try {
    return readArguments(args, OPTIONS).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}; the token is read only from NOTETAKER_TOKEN; see --help`);
  }
}

async function run(args: string[], process: CommandProcess, signal: AbortSignal): Promise<number> {
  const { json, "base-url": baseUrl, help, version } = optionsIn(args);
  const { stdout, stderr, env } = process;
  if (help || version) {
    stdout.write(`${help ? HELP : VERSION}\n`);
    return 0;
  }
  const token = env.NOTETAKER_TOKEN;
  if (!token) throw new UsageError("NOTETAKER_TOKEN is not set");
  const url = baseUrl ?? env.NOTETAKER_BASE_URL;
  if (!url) throw new UsageError("NOTETAKER_BASE_URL is not set, and --base-url is not given");
  const notetaker = new Notetaker({ token, baseUrl: url });
  let count = 0;
  // A terminal shows the progress on one line, which is cleared at the end.
  const onCheck = ({ id }: Check) => {
    count += 1;
    if (stderr.isTTY === true) stderr.write(`\r\x1b[K${count}: ${id}`);
  };
  const report = await diagnose(notetaker, { signal, onCheck }).finally(() => {
    if (stderr.isTTY === true && count > 0) stderr.write("\r\x1b[K");
  });
  // No response could be read, so nothing is known about the names.
  if (report.fields.length === 0) throw new Error(`nothing could be read: ${report.checks[0]?.detail}`);
  const color = stdout.isTTY === true && !env.NO_COLOR;
  const text = json ? JSON.stringify(report, null, 2) : renderReport(report, color);
  stdout.write(`${text}\n`);
  return differs(report) ? 1 : 0;
}

/** Resolves to the exit code. An error is printed as one line on the standard error. */
export async function runCommand(args: string[], process: CommandProcess, signal: AbortSignal): Promise<number> {
  try {
    return await run(args, process, signal);
  } catch (error) {
    const message = signal.aborted ? "interrupted" : String((error as Partial<Error> | null)?.message ?? error);
    process.stderr.write(`notetaker-doctor: ${message.replace(/\s*[\r\n]+\s*/g, " ")}\n`);
    return 2;
  }
}
