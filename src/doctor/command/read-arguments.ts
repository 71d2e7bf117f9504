/** Reads the arguments of the command. */
import { parseArgs } from "node:util";
import { UsageError } from "./usage-error.js";

export interface CommandArguments {
  readonly json: boolean;
  readonly baseUrl: string | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

const OPTIONS = {
  json: { type: "boolean" },
  "base-url": { type: "string" },
  help: { type: "boolean" },
  version: { type: "boolean" },
} as const;

export function readArguments(args: string[]): CommandArguments {
  try {
    const { values } = parseArgs({ args, options: OPTIONS, strict: true, allowPositionals: false });
    const { json = false, help = false, version = false } = values;
    return { json, help, version, baseUrl: values["base-url"] };
  } catch {
    throw new UsageError("unknown argument, or missing value; the token is read only from NOTETAKER_TOKEN; see --help");
  }
}
