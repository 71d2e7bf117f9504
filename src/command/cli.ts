#!/usr/bin/env node
/** The command of the package. Every Node can read this file alone: an old one says what it needs. */
const NEEDED = "20.3";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 3)) {
  console.error(`notetaker-sdk needs Node ${NEEDED} or later; this is Node ${process.versions.node}`);
  process.exit(2);
}

const { run } = await import("./run.js");
const controller = new AbortController();
// A second signal kills the process.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => controller.abort());

// A reader that closes the pipe, such as `head`, ends the output and not the command: a run goes on and releases its lock.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

const { env, stdin, stdout, stderr } = process;
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr, signal: controller.signal });
// What was written comes first. Open connections and timers do not keep a command running.
stdout.write("", () => stderr.write("", () => process.exit()));

export {};
