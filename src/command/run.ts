/** `npx notetaker-sdk`: finds the command, runs it, and prints a failure as one line. */

import { nearestName, unknownName } from "../checks/unknown-name.js";
import { VERSION } from "../configuration/version.js";
import { messageOf } from "../errors/error-record.js";
import { oneLine } from "../errors/one-line.js";
import { AwayError, type Command, type CommandContext, CommandError, UsageError } from "./command.js";

/** Each command is loaded when it is run: `emulator` does not load the client. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  emulator: async () => (await import("./emulator.js")).emulator,
  trigger: async () => (await import("./trigger.js")).trigger,
  sync: async () => (await import("./sync.js")).sync,
  listen: async () => (await import("./listen.js")).listen,
  doctor: async () => (await import("./doctor.js")).doctor,
  search: async () => (await import("./search.js")).search,
  mcp: async () => (await import("./mcp.js")).mcp,
};
const COMMAND_NAMES = Object.keys(COMMANDS);

const HELP = `npx notetaker-sdk <command> [options]

Without an account:
  emulator   serves an emulated note-taker service on this machine
  trigger    sends a signed event to your own webhook endpoint

With a database that sync keeps:
  search     finds what was said, and by whom

With your account (NOTETAKER_BASE_URL and NOTETAKER_TOKEN):
  sync       keeps a copy of your account in SQLite, Postgres or a folder
  listen     sends the events of your account to your own webhook endpoint
  doctor     finds out which parameter names your service honours
  mcp        lets an assistant read your meetings (Model Context Protocol); mcp --emulator and --archive need no account

npx notetaker-sdk <command> --help shows the options of a command; --version shows the version.`;

const GENERAL_OPTIONS = ["--help", "-h", "--version"];

/** The longest message: long enough for a list of the mistakes in a seed. */
const MAX_ERROR_LINE = 4_000;

async function load(name: string, rest: readonly string[]): Promise<Command> {
  if (Object.hasOwn(COMMANDS, name)) return (COMMANDS[name] as () => Promise<Command>)();
  if (!name.startsWith("-")) throw new UsageError(unknownName(name, COMMAND_NAMES, "command"));
  const command = rest.find((argument) => Object.hasOwn(COMMANDS, argument));
  const meant =
    (name === "-v" ? "--version" : nearestName(name, GENERAL_OPTIONS)) ?? `notetaker-sdk ${command ?? "emulator"} …`;
  throw new UsageError(`the command comes before its options; did you mean "${meant}"?`);
}

function failure(error: unknown, isInterrupted: boolean): string {
  if (isInterrupted && !(error instanceof CommandError)) return "interrupted";
  const line = oneLine(messageOf(error), MAX_ERROR_LINE);
  return error instanceof UsageError ? `${line}; see --help` : line;
}

const isUsage = (error: unknown) =>
  error instanceof UsageError || (error as Partial<Error> | null)?.name === "ConfigurationError";

function exitCodeOf(error: unknown, command: Partial<Command> | undefined, isInterrupted: boolean): number {
  const { failureCode = 1, interruptedCode = failureCode } = command ?? {};
  if (error instanceof AwayError) return AwayError.exitCode;
  if (isUsage(error)) return 2;
  return isInterrupted ? interruptedCode : failureCode;
}

export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout, stderr, signal } = context;
  const asked = args.find((argument) => GENERAL_OPTIONS.includes(argument));
  const [name, ...rest] = args;
  let command: Command | undefined;
  try {
    if (name !== undefined && name !== asked) {
      command = await load(name, rest);
      if (asked === undefined) return await command.run(rest, context);
    }
    stdout.write(`${asked === "--version" ? VERSION : (command?.help ?? HELP)}\n`);
    return 0;
  } catch (error) {
    const prefix = command === undefined ? "notetaker-sdk" : `notetaker-sdk ${name}`;
    stderr.write(`${prefix}: ${failure(error, signal.aborted)}\n`);
    return exitCodeOf(error, command, signal.aborted);
  }
}
