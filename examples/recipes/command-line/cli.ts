#!/usr/bin/env node
/**
 * Results go to stdout, everything else to stderr. The exit code is 75 (try
 * again later) after a temporary error.
 */
import { Command, Option } from "commander";
import { isNotetakerError, Notetaker, parseMeetingLink } from "notetaker-sdk";
import { fromPath } from "notetaker-sdk/node";
import { toMarkdown, toSrt, toText, toVtt } from "notetaker-sdk/transcript";

const FORMATS = { text: toText, markdown: toMarkdown, srt: toSrt, vtt: toVtt };

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
const options = { signal: stop.signal };
/** Created when a command runs, so that `--help` needs no token. */
const client = () =>
  new Notetaker({ appInfo: { name: "meetings-cli", version: "1.0.0" } });

const program = new Command("meetings")
  .description("Meetings of the note-taker")
  .version("1.0.0");

program
  .command("list")
  .description("the latest meetings")
  .option("-n, --max <number>", "how many", Number, 20)
  .action(async ({ max }: { max: number }) => {
    const list = client().meetings.list({}, options);
    for (const { id, status, start_time, title } of await list.toArray({ max }))
      console.log([id, start_time, status, title ?? ""].join("\t"));
  });

program
  .command("transcript <meeting>")
  .description("the transcript of a meeting")
  .addOption(
    new Option("-f, --format <format>")
      .choices(Object.keys(FORMATS))
      .default("text"),
  )
  .action(async (id: string, { format }: { format: keyof typeof FORMATS }) => {
    const transcript = await client().meetings.getTranscript(id, options);
    console.log(FORMATS[format](transcript));
  });

program
  .command("join <link>")
  .description("send a bot into a call; the link may be anywhere in a text")
  .action(async (text: string) => {
    const meeting_url = parseMeetingLink(text)?.url ?? text;
    const { meeting_id } = await client().meetings.sendBot(
      { meeting_url },
      options,
    );
    console.log(meeting_id);
  });

program
  .command("upload <file>")
  .description("upload a recording")
  .option("--title <title>", "the title of the meeting")
  .action(async (path: string, { title }: { title?: string }) => {
    const { id } = await client().meetings.upload(
      fromPath(path),
      { title },
      {
        ...options,
        onProgress: ({ sentBytes, totalBytes = "?" }) =>
          void process.stderr.write(`\r${sentBytes} of ${totalBytes} bytes`),
      },
    );
    process.stderr.write("\n");
    console.log(id);
  });

try {
  await program.parseAsync();
} catch (error) {
  if (stop.signal.aborted) {
    process.exitCode = 130;
  } else if (isNotetakerError(error)) {
    console.error(`${error.name}: ${error.message}`);
    process.exitCode = error.retryable ? 75 : 1;
  } else {
    throw error;
  }
}
