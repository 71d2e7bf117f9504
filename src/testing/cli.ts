#!/usr/bin/env node
/** The command of the emulator: `npx -p notetaker-sdk notetaker-emulator --port 4010`. */
import { UsageError } from "../command-line.js";
import { VERSION } from "../configuration/version.js";
import { oneLine } from "../errors/one-line.js";
import { capture } from "./command/capture.js";
import { serve } from "./command/serve.js";
import { trigger } from "./command/trigger.js";
import { EmulatorError } from "./emulator-error.js";

const HELP = `notetaker-emulator: emulates the note-taker service on this machine

npx -p notetaker-sdk notetaker-emulator [options]

  --port <number>      the port; 0 is any free port             (default: 4010)
  --host <address>     the address to listen on                 (default: 127.0.0.1)
  --allow-host <name>  a further name accepted in the Host header, repeatable
  --token <token>      the token that requests must have        (default: a fixed one, printed)
  --seed <file.json>   the content of the account, or of several: { "accounts": { "<token>": { … } } };
                       or a number: the default account, with ids that depend on this number
  --speed <number>     how many times faster than real time; with 60, a minute takes a second (default: 1)
  --limits <which>     the rate limits that are enforced: none, specified or all (default: specified)
  --cors <origin>      lets pages of that origin call it from a browser, or * for any
  --control            adds the control endpoints under /_emulator
  --lenient            ignores unknown parameters and fields, as the service may do
  --detached           keeps running when the process that started it has ended
  --version, --help

npx -p notetaker-sdk notetaker-emulator trigger <kind> --to <url> [--id mtg_…] [--allow]
  Sends a signed event to your own endpoint and retries as the service does. The secret is read from
  NOTETAKER_WEBHOOK_SECRET. Another host than this machine needs --allow. Exit code 1: not accepted.

npx -p notetaker-sdk notetaker-emulator capture --out <file.json> [--force] [--rooms <number>] [--base-url <url>]
    [--keep-content]
  Captures a live account as a seed file. The token is read from NOTETAKER_TOKEN, the URL from NOTETAKER_BASE_URL.
  All texts, ids, dates and unknown numbers are replaced, unless --keep-content is given.

Bots and meetings advance with the time: a bot joins after a few seconds, and its call lasts a minute (with --speed 1).
`;

const COMMANDS: Readonly<Record<string, (args: string[]) => Promise<void>>> = { capture, trigger };

/** The longest message: long enough for a list of the mistakes in a seed. */
const MAX_MESSAGE = 4_000;

async function main(args: string[]): Promise<void> {
  if (args.includes("--help")) {
    console.log(HELP);
    return;
  }
  if (args.includes("--version")) {
    console.log(VERSION);
    return;
  }
  const [name = "", ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) return command(rest);
  if (name !== "" && !name.startsWith("-")) {
    throw new UsageError(`unknown command ${name}; expected ${Object.keys(COMMANDS).join(" or ")}, or options`);
  }
  return serve(args);
}

// A reader that closes the pipe, such as `head`, is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit(0));

main(process.argv.slice(2)).catch((error: unknown) => {
  const { code, message } = error as { code?: string; message: string };
  const isExpected = error instanceof UsageError || error instanceof EmulatorError || code !== undefined;
  if (!isExpected) throw error;
  console.error(
    `notetaker-emulator: ${oneLine(message, MAX_MESSAGE)}${error instanceof UsageError ? "; see --help" : ""}`,
  );
  process.exit(error instanceof UsageError ? 2 : 1);
});
