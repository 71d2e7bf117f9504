/** The command, run from a shell. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { emulatedAccount, meetingId } from "./support/emulated-account.js";
import { recipeFolder } from "./support/run-folder.js";

test("the command lists, reads, joins and uploads, and its exit codes show whether a failure is temporary", async () => {
  const { service, env } = await emulatedAccount();
  const folder = recipeFolder("command-line");
  // Compiled in the same way as before publishing.
  await build({ entryPoints: [join(folder, "cli.ts")], outfile: join(folder, "cli.mjs"), format: "esm" });
  const run = async (args: string[], variables = env) => {
    const { NOTETAKER_BASE_URL: _, NOTETAKER_TOKEN: __, ...inherited } = process.env;
    const child = spawn(process.execPath, ["cli.mjs", ...args], { cwd: folder, env: { ...inherited, ...variables } });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const [exitCode] = await once(child, "close");
    return { exitCode, output: (await output).join("") };
  };

  const [help, list, badCount, captions, joined, badFormat, badLink, noToken] = await Promise.all([
    run(["--help"], {}),
    run(["list", "-n", "3"]),
    run(["list", "-n", "some"]),
    run(["transcript", meetingId(service, "Quarterly planning"), "--format", "srt"]),
    run(["join", "Join Zoom Meeting: https://zoom.us/j/1234567890?pwd=x (passcode 1)"]),
    run(["transcript", "mtg_1", "-f", "pdf"]),
    run(["join", "https://example.com/call"]),
    run(["list"], { NOTETAKER_BASE_URL: env.NOTETAKER_BASE_URL ?? "" }),
  ]);
  expect(help.exitCode).toBe(0);
  expect(help.output).toContain("send a bot into a call");
  expect(list.output.trim().split("\n")).toHaveLength(3);
  expect(list.output).toMatch(/^mtg_\w+\t2025-06-02T\S+\tprocessing\tPanel discussion.mp3\n/);
  expect(badCount).toMatchObject({ exitCode: 1, output: expect.stringContaining("max: expected") });
  expect(captions.output).toMatch(/^1\n00:00:\d\d,\d{3} --> /);
  expect(joined).toMatchObject({ exitCode: 0, output: expect.stringMatching(/^mtg_\w+\n$/) });
  expect(badFormat).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining("Allowed choices are text, markdown"),
  });
  expect(badLink).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining("meeting_url: expected a Zoom"),
  });
  expect(noToken).toMatchObject({ exitCode: 1, output: expect.stringContaining("NOTETAKER_TOKEN") });

  writeFileSync(join(folder, "call.wav"), Buffer.alloc(100_000));
  const uploaded = await run(["upload", "call.wav", "--title", "Call"]);
  expect(uploaded.output).toMatch(/^mtg_\w+\n(.*\r)?100000 of 100000 bytes\n$/s);
  service.faults.next("*", { status: 503, retryAfterSeconds: 0, times: 3 });
  expect(await run(["list"])).toMatchObject({ exitCode: 75, output: expect.stringContaining("ServerError") });
  expect(service.requests.at(-1)?.headers.get("user-agent")).toMatch(
    /^notetaker-sdk\/\S+ \(.+\) meetings-cli\/1\.0\.0$/,
  );
});
