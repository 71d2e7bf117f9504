/**
 * Posts the summary of each meeting to a Slack channel, as soon as the service
 * has written it. A meeting whose webhook was lost is posted a minute later.
 *
 *   SLACK_TOKEN=xoxb-… SLACK_CHANNEL=C0123456789 npx tsx slack-poster.ts
 *
 * If Slack fails, the program ends. Let a supervisor start it again: it
 * continues with the same meeting.
 */
import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { WebClient } from "@slack/web-api";
import { Notetaker, walkMeetings } from "notetaker-sdk";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const {
  SLACK_TOKEN,
  SLACK_CHANNEL = "#meetings",
  SLACK_API_URL,
  NOTETAKER_WEBHOOK_SECRET,
  STATE_FILE = "slack-poster.json",
  SINCE,
  PORT = "3000",
} = process.env;
const slack = new WebClient(
  SLACK_TOKEN,
  SLACK_API_URL === undefined ? {} : { slackApiUrl: SLACK_API_URL },
);

const receiver = createReceiver({ secrets: NOTETAKER_WEBHOOK_SECRET });
const server = createServer(toNodeListener(receiver.handle));
server.listen(Number(PORT), "127.0.0.1", () =>
  console.log("listening on", server.address()),
);

/** The newest meetings that were posted: a meeting may be yielded again. */
interface State {
  checkpoint?: string;
  posted: string[];
}
let state: State = existsSync(STATE_FILE)
  ? JSON.parse(readFileSync(STATE_FILE, "utf8"))
  : { posted: [] };

async function save(changes: Partial<State>): Promise<void> {
  state = { ...state, ...changes };
  await writeFile(`${STATE_FILE}.new`, JSON.stringify(state));
  // in one step, so that a crash leaves no half of a file
  await rename(`${STATE_FILE}.new`, STATE_FILE);
}

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
const notetaker = new Notetaker();
const walk = walkMeetings(notetaker, {
  follow: true,
  // The first start posts no meetings of the past.
  since: SINCE ?? new Date(),
  resume: state.checkpoint,
  wake: receiver.events(),
  wants: ({ id }) => !state.posted.includes(id) && { transcript: false },
  onIdle: (checkpoint) => save({ checkpoint }),
  signal: stop.signal,
});
try {
  for await (const { meeting, checkpoint } of walk) {
    const isPosted = state.posted.includes(meeting.id);
    const summary = isPosted
      ? undefined
      : await notetaker.documents.find(meeting, "summary", {
          format: "markdown",
        });
    // Without a summary, the meeting is yielded again when there is one.
    if (summary === undefined) await save({ checkpoint });
    else {
      await post(meeting.title ?? "A meeting", summary.content);
      const posted = [...state.posted, meeting.id].slice(-10_000);
      await save({ checkpoint, posted });
    }
  }
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  server.close();
}

async function post(title: string, summary: string): Promise<void> {
  await slack.chat.postMessage({
    channel: SLACK_CHANNEL,
    // The text of the notification.
    text: `Summary of ${title}`,
    blocks: [
      {
        type: "header",
        text: { type: "plain_text", text: title.slice(0, 150) },
      },
      // Slack cuts a markdown block at 12,000 characters.
      { type: "markdown", text: summary.slice(0, 12_000) },
    ],
  });
}
