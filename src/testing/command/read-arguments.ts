/** Reads the arguments of the emulator's commands. */
import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearestName } from "../../schemas/unknown-name.js";
import { UsageError } from "./usage-error.js";

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
    const name = /^Unknown option '--?([^']+)'/.exec((error as Error).message)?.[1];
    if (name === undefined) throw new UsageError((error as Error).message.replace(/\.$/, ""));
    const nearest = nearestName(name, Object.keys(options));
    throw new UsageError(`Unknown option '--${name}'${nearest === undefined ? "" : `; did you mean --${nearest}?`}`);
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

export function readChoice<const T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw new UsageError(`--${flag}: expected one of ${choices.join(", ")}, received ${text}`);
  return choice;
}

export function readJsonFile(flag: string, path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`--${flag}: ${path} could not be read: ${(error as Error).message}`);
  }
}
