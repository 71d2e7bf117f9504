#!/usr/bin/env node
/** The command of the doctor: `npx -p notetaker-sdk notetaker-doctor`. */
import { runCommand } from "./run-command.js";

const controller = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => controller.abort());

let exitCode = 2;
// A reader that closes the pipe, such as `head`, is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => process.exit(exitCode));

void runCommand(process.argv.slice(2), process, controller.signal).then((code) => {
  exitCode = code;
  process.exitCode = code;
});
