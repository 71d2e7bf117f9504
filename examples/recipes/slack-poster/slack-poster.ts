/**
 * Posts the summary of each meeting to a Slack channel (Node 22.16 and later).
 *
 *   SLACK_TOKEN=xoxb-… SLACK_CHANNEL=C0123456789 npx tsx slack-poster.ts
 */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { WebClient } from "@slack/web-api";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { sqliteStore } from "notetaker-sdk/sql";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const {
  SLACK_TOKEN,
  SLACK_CHANNEL = "#meetings",
  SLACK_API_URL,
  NOTETAKER_WEBHOOK_SECRET,
  DATABASE = "slack-poster.sqlite",
  SINCE,
  PORT = "3000",
} = process.env;
const slack = new WebClient(
  SLACK_TOKEN,
  SLACK_API_URL === undefined ? {} : { slackApiUrl: SLACK_API_URL },
);

const db = new DatabaseSync(DATABASE);
// `since`: the first start, so that no earlier meeting is posted. `version` and
// `id`: the last summary that was posted.
db.exec(`CREATE TABLE IF NOT EXISTS slack
  (one UNIQUE DEFAULT 1, since, version DEFAULT 0, id DEFAULT '')`);
db.prepare("INSERT OR IGNORE INTO slack (since) VALUES (?)").run(
  SINCE ?? new Date().toISOString(),
);

const receiver = createReceiver({ secrets: NOTETAKER_WEBHOOK_SECRET });
const server = createServer(toNodeListener(receiver.handle));
server.listen(Number(PORT), "127.0.0.1", () =>
  console.log("listening on", server.address()),
);

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
try {
  await syncMeetings(new Notetaker(), {
    into: sqliteStore(db),
    follow: true,
    wake: receiver.events(),
    since: new Date(String(db.prepare("SELECT since FROM slack").get()?.since)),
    formats: { transcript: false },
    onChange: postSummaries,
    signal: stop.signal,
  });
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  server.close();
}

async function postSummaries() {
  const summaries = db.prepare(`
    SELECT d.version, d.id, d.content, m.title
    FROM notetaker_documents AS d
    JOIN notetaker_meetings AS m ON (m.account, m.id) = (d.account, d.meeting_id)
    WHERE (d.version, d.id) > (SELECT version, id FROM slack)
      AND d.title LIKE '%summary%'
    ORDER BY d.version, d.id`);
  const setPosted = db.prepare("UPDATE slack SET version = ?, id = ?");
  for (const { version, id, content, title } of summaries.all()) {
    await post(String(title ?? "A meeting"), String(content));
    setPosted.run(Number(version), String(id));
  }
}

async function post(title: string, summary: string) {
  await slack.chat.postMessage({
    channel: SLACK_CHANNEL,
    text: `Summary of ${title}`, // of the notification
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
