#!/usr/bin/env node
/** The command of the package: `npx notetaker-sdk emulator --port 4010`. */
import { run } from "./run.js";

const controller = new AbortController();
// A second Ctrl-C kills the process.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());

// A reader that closes the pipe, such as `head`, is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit());

const { env, stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr, signal: controller.signal });
// What was written comes first. Open connections and timers do not keep a command running.
stdout.write("", () => stderr.write("", () => process.exit()));
