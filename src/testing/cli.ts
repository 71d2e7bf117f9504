#!/usr/bin/env node
/** The emulator from a shell: `npx notetaker-emulator --port 4010`. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createEmulator } from "./emulator.js";
import { EmulatorError } from "./emulator-error.js";
import type { RecordedRequest } from "./http/recorded-request.js";
import type { Seed } from "./seed/seed.js";

const HELP = `notetaker-emulator: the note-taker service on this machine

  --port <number>     where to listen; 0 takes any free port   (default: 4010)
  --host <address>    the address to listen on                 (default: 127.0.0.1)
  --token <token>     the token that requests have to carry    (default: a fixed one, printed)
  --seed <file.json>  what the account holds, or a number for the built-in account's ids
  --cors <origin>     lets pages of that origin call it from a browser, or * for any
  --lenient           lets unknown routes and parameters pass as the service might
  --help

It runs on real time: a bot joins after a few seconds and its call lasts a minute.
`;

/** What was typed cannot be used: said without a stack trace. */
class UsageError extends Error {}

function readOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: "string", default: "4010" },
        host: { type: "string", default: "127.0.0.1" },
        token: { type: "string" },
        seed: { type: "string" },
        cors: { type: "string" },
        lenient: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readPort(value: string): number {
  const port = Number(value);
  if (!/^\d+$/.test(value) || port > 65_535) {
    throw new UsageError(`--port: expected a number from 0 to 65535, received ${value}`);
  }
  return port;
}

function readSeed(value: string | undefined): Seed | number | undefined {
  if (value === undefined || /^\d+$/.test(value)) return value === undefined ? undefined : Number(value);
  try {
    return JSON.parse(readFileSync(value, "utf8")) as Seed;
  } catch (error) {
    throw new UsageError(`--seed: ${value} could not be read: ${(error as Error).message}`);
  }
}

function logLine({ method, url, status }: RecordedRequest): string {
  const { pathname, search } = new URL(url);
  // A recording's key is all that is needed to download it: it stays out of the log.
  const path = pathname.startsWith("/recordings/") ? "/recordings/…" : pathname + search;
  return `${method} ${path} ${status ?? "broken off"}`;
}

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) {
    console.log(HELP);
    return;
  }
  const service = createEmulator({
    token: options.token,
    seed: readSeed(options.seed),
    now: Date.now,
    strict: !options.lenient,
    onRequest: (request) => console.log(logLine(request)),
  });
  const { url, close } = await service.listen({ port: readPort(options.port), host: options.host, cors: options.cors });
  console.log(`address: ${url}\ntoken:   ${service.token}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const { code } = error as { code?: string };
  if (error instanceof UsageError || error instanceof EmulatorError || code !== undefined) {
    console.error(`notetaker-emulator: ${(error as Error).message}`);
    if (error instanceof UsageError) console.error("Try --help.");
    process.exit(error instanceof UsageError ? 2 : 1);
  }
  throw error;
});
