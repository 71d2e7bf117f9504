#!/usr/bin/env node
/**
 * A command for meetings, with commander. It prints results to stdout, and
 * everything else to stderr. The exit code is 1 for an invalid argument or a
 * permanent error, and 75 (try again later) for a temporary error.
 */
import { Command, InvalidArgumentError } from "commander";
import { isNotetakerError, Notetaker, parseMeetingLink } from "notetaker-sdk";
import { fromPath } from "notetaker-sdk/node";
import { toMarkdown, toSrt, toText, toVtt } from "notetaker-sdk/transcript";

const FORMATS = { text: toText, markdown: toMarkdown, srt: toSrt, vtt: toVtt };
type Format = keyof typeof FORMATS;

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
  .option("-n, --max <number>", "how many", toCount, 20)
  .option("--search <text>", "only those with this in their title")
  .action(async ({ max, search }: { max: number; search?: string }) => {
    for (const { id, status, start_time, title } of await client()
      .meetings.list({ search }, options)
      .toArray({ max })) {
      console.log([id, start_time, status, title ?? ""].join("\t"));
    }
  });

program
  .command("transcript <meeting>")
  .description("the transcript of a meeting")
  .option(
    "-f, --format <format>",
    `one of ${Object.keys(FORMATS).join(", ")}`,
    toFormat,
    "text",
  )
  .option("--wait", "wait until it is ready")
  .action(
    async (
      id: string,
      { format, wait }: { format: Format; wait?: boolean },
    ) => {
      const { meetings } = client();
      const transcript = await (wait
        ? meetings.waitForTranscript(id, options)
        : meetings.getTranscript(id, options));
      console.log(FORMATS[format](transcript));
    },
  );

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
    const onProgress = ({
      sentBytes,
      totalBytes,
    }: {
      sentBytes: number;
      totalBytes?: number | undefined;
    }) =>
      void process.stderr.write(`\r${sentBytes} of ${totalBytes ?? "?"} bytes`);
    const { id } = await client().meetings.upload(
      fromPath(path),
      { title },
      { ...options, onProgress },
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

function toCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError("expected a whole number of at least 1");
  return count;
}

function toFormat(value: string): Format {
  if (!Object.hasOwn(FORMATS, value))
    throw new InvalidArgumentError(
      `expected one of ${Object.keys(FORMATS).join(", ")}`,
    );
  return value as Format;
}
