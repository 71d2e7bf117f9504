/** How the commands read their arguments, for example `--port 4010`. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearestName } from "./schemas/unknown-name.js";

/**
 * A command was called with invalid arguments. It is reported in one line without a stack trace, with exit code 2. The
 * message never repeats a positional argument, because it may be the token.
 */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig["options"]>;

/** The arguments as typed values. Throws a {@link UsageError}, which suggests a similar option. */
export function readArguments<const O extends Options>(
  args: string[],
  options: O,
  allowPositionals = false,
): ReturnType<typeof parseArgs<{ args: string[]; options: O; allowPositionals: boolean }>> {
  try {
    return parseArgs({ args, options, allowPositionals });
  } catch (error) {
    const { message } = error as Error;
    const name = /^Unknown option '--?([^']+)'/.exec(message)?.[1];
    if (name !== undefined) {
      const nearest = nearestName(name, Object.keys(options));
      throw new UsageError(`Unknown option '--${name}'${nearest === undefined ? "" : `; did you mean --${nearest}?`}`);
    }
    throw new UsageError(/^Option .*/.exec(message)?.[0].replace(/\.$/, "") ?? "unexpected argument");
  }
}

/** The number in `text`, if it is written in decimal digits and `accepts` allows it. */
export function readNumber(flag: string, text: string, accepts: (value: number) => boolean, expected: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || !accepts(value)) {
    throw new UsageError(`--${flag}: expected ${expected}, received ${text}`);
  }
  return value;
}
