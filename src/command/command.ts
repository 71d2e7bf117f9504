/** What a command is, and how it reads its arguments, for example `--port 4010`. */
import type { Readable } from "node:stream";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearestName } from "../checks/unknown-name.js";

export interface CommandOutput {
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  readonly isTTY?: boolean;
}

export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: CommandOutput;
  readonly stderr: CommandOutput;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Command {
  readonly help: string;
  /** Resolves to the exit code. */
  run(args: string[], context: CommandContext): Promise<number>;
  /** The exit code of a failure that is not a wrong argument (default: 1). */
  readonly failureCode?: 2;
  /** The exit code if a signal ended it (default: that of a failure). */
  readonly interruptedCode?: 130;
}

/** A failure of a command, whose message is complete. It is printed as one line, like every error. */
export class CommandError extends Error {}

/** An argument is wrong, or a variable is missing: exit code 2. An unknown argument may be a secret: it is not repeated. */
export class UsageError extends CommandError {}

/** The service, the database or the store is not there now: `EX_TEMPFAIL` of sysexits.h, for whoever tries again later. */
export class AwayError extends CommandError {
  static readonly exitCode = 75;
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Throws a {@link UsageError}, which suggests a similar option. */
export function parseFlags<const O extends Options>(
  args: string[],
  options: O,
  allowPositionals = false,
): ReturnType<typeof parseArgs<{ args: string[]; options: O; allowPositionals: boolean }>> {
  try {
    return parseArgs({ args, options, allowPositionals });
  } catch (error) {
    const { message } = error as Error;
    // With a token as an option of its own, `emulator` needs no hint.
    const hint = "token" in options ? "" : "; tokens and secrets are read only from environment variables";
    const name = /^Unknown option '--?([^']+)'/.exec(message)?.[1];
    if (name !== undefined) {
      const nearest = nearestName(name, Object.keys(options));
      throw new UsageError(`unknown option${nearest === undefined ? hint : `; did you mean --${nearest}?`}`);
    }
    throw new UsageError(/^Option .*/.exec(message)?.[0].replace(/\.$/, "") ?? `unexpected argument${hint}`);
  }
}

/** The number in `text`, if it is written in decimal digits and `accepts` allows it. */
export function readNumber(flag: string, text: string, accepts: (value: number) => boolean, expected: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !accepts(value)) {
    throw new UsageError(`--${flag}: expected ${expected}`);
  }
  return value;
}
