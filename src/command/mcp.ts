/** `notetaker-sdk mcp`: the tools as a server of the Model Context Protocol on stdin and stdout. */

import { unknownName } from "../checks/unknown-name.js";
import { Notetaker } from "../client.js";
import { VERSION } from "../configuration/version.js";
import type { Archive } from "../sql/search/archive.js";
import { tools } from "../tools/tools.js";
import { type Command, type CommandContext, parseFlags, UsageError } from "./command.js";
import { openAccount } from "./open-account.js";
import { type OpenDatabase, openDatabase } from "./open-store.js";

const OPTIONS = {
  write: { type: "boolean", default: false },
  only: { type: "string", multiple: true },
  emulator: { type: "boolean", default: false },
  archive: { type: "string" },
  account: { type: "string" },
  "base-url": { type: "string" },
} as const;

const HELP = `npx notetaker-sdk mcp [options]

A server of the Model Context Protocol on stdin and stdout: an assistant finds meetings, searches and reads transcripts
and documents. It only reads, unless --write is given.

  --write             adds the tools that send bots, share meetings and change settings
  --only <names>      only these tools: names with commas between, repeatable
  --emulator          serves an emulated account: no token is needed
  --archive <database>  serves the meetings that "notetaker-sdk sync" keeps in meetings.sqlite or postgres://…: no token,
                      no network
  --account <name>    the account, if the database of --archive has several
  --base-url <url>    the service's base URL, ending in /v1  (default: NOTETAKER_BASE_URL)

The token is read from NOTETAKER_TOKEN. The server ends when its input ends, or on Ctrl-C.
Exit code 0: it ended; 2: an argument is wrong or a variable is missing.`;

async function clientFor(emulator: boolean, baseUrl: string | undefined, { env }: CommandContext): Promise<Notetaker> {
  if (emulator) {
    const { createEmulator } = await import("../testing/emulator.js");
    return new Notetaker(createEmulator({ now: Date.now }).clientOptions);
  }
  const missing = [
    env.NOTETAKER_TOKEN ? undefined : "NOTETAKER_TOKEN",
    baseUrl ? undefined : "NOTETAKER_BASE_URL",
  ].filter((name) => name !== undefined);
  if (missing.length > 0) {
    throw new UsageError(`set ${missing.join(" and ")}, or add --emulator to try it without an account`);
  }
  return new Notetaker({ token: env.NOTETAKER_TOKEN, baseUrl });
}

/** The tools that `--write` and `--only` ask for, and the names of those that need `--write`. */
function chosenTools(source: Notetaker | Archive, write: boolean, given: readonly string[] | undefined) {
  const reading = tools(source).map(({ name }) => name);
  const all = "rooms" in source ? tools(source, { write: true }).map(({ name }) => name) : reading;
  const only = given?.flatMap((names) => names.split(",")).map((name) => name.trim());
  for (const name of only ?? []) {
    if (!all.includes(name)) throw new UsageError(`--only: ${unknownName(name, all, "tool")}`);
    if (!write && !reading.includes(name)) {
      throw new UsageError(`--only: ${name} may change the account; add --write`);
    }
  }
  return {
    tools: tools(source, { write, only }),
    withheld: write ? [] : all.filter((name) => !reading.includes(name)),
  };
}

async function run(args: string[], context: CommandContext): Promise<number> {
  const { values } = parseFlags(args, OPTIONS);
  const { stdin, stdout, stderr, env, signal } = context;
  if (values.archive !== undefined && (values.emulator || values.write)) {
    throw new UsageError(`--archive: without --${values.write ? "write: an archive is only read" : "emulator"}`);
  }
  if (values.archive === undefined && values.account !== undefined) {
    throw new UsageError("--account: only with --archive: a token has one account");
  }
  const { write } = stdout;
  // Whatever else in the process writes to the console would break the protocol.
  stdout.write = stderr.write.bind(stderr);
  let opened: OpenDatabase | undefined;
  try {
    if (values.archive !== undefined) opened = await openDatabase("archive", values.archive, env);
    const source =
      opened === undefined
        ? await clientFor(values.emulator, values["base-url"] ?? env.NOTETAKER_BASE_URL, context)
        : await openAccount(opened, values.account);
    const chosen = chosenTools(source, values.write, values.only);
    const { serveTools } = await import("./mcp-protocol.js");
    const onRefused = (message: string) => void stderr.write(`notetaker-sdk mcp: ${message}\n`);
    await serveTools({ version: VERSION, ...chosen, input: stdin, write: write.bind(stdout), onRefused, signal });
  } finally {
    // The process ends when all that was written here has been read.
    stdout.write = write;
    await opened?.close();
  }
  return 0;
}

export const mcp: Command = { help: HELP, run };
