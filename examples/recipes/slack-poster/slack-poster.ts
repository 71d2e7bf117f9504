/**
 * Posts the summary of each meeting to a Slack channel, as soon as the service
 * has written it.
 *
 *   SLACK_TOKEN=xoxb-… SLACK_CHANNEL=C0123456789 npx tsx slack-poster.ts
 */
import { createServer } from "node:http";
import { WebClient } from "@slack/web-api";
import { Notetaker } from "notetaker-sdk";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const {
  SLACK_TOKEN,
  SLACK_CHANNEL = "#meetings",
  SLACK_API_URL,
  NOTETAKER_WEBHOOK_SECRET,
  PORT = "3000",
} = process.env;
const slack = new WebClient(
  SLACK_TOKEN,
  SLACK_API_URL === undefined ? {} : { slackApiUrl: SLACK_API_URL },
);
const notetaker = new Notetaker();

const receiver = createReceiver({ secrets: NOTETAKER_WEBHOOK_SECRET });

receiver.on(
  "meeting.initial_summary_ready",
  async ({ meetingId }, { signal }) => {
    const meeting = await notetaker.meetings.get(
      meetingId,
      { expand: ["documents"] },
      { signal },
    );
    const summary = await notetaker.documents.find(
      meeting,
      "summary",
      { format: "markdown" },
      { signal },
    );
    // An error gets 503, and the service delivers again.
    if (summary === undefined)
      throw new Error(`${meetingId} has no summary yet`);

    const title = meeting.title ?? "A meeting";
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
        { type: "markdown", text: summary.content.slice(0, 12_000) },
      ],
    });
  },
);

const server = createServer(toNodeListener(receiver.handle));
server.listen(Number(PORT), "127.0.0.1", () =>
  console.log("listening on", server.address()),
);
process.once("SIGTERM", () => server.close());
