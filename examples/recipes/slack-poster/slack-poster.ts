/**
 * Posts the summary of each meeting to a Slack channel, as soon as the service
 * has written it. A meeting whose webhook was lost is posted a minute later.
 * It needs Node 22.16 or later, for `node:sqlite`.
 *
 *   SLACK_TOKEN=xoxb-… SLACK_CHANNEL=C0123456789 npx tsx slack-poster.ts
 *
 * If Slack fails, the program ends. Let a supervisor start it again: it
 * continues with the same meeting.
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
// The first start posts no meetings of the past. `version` and `id` are those of
// the last summary that was posted.
db.exec(`CREATE TABLE IF NOT EXISTS slack
  (one INTEGER PRIMARY KEY CHECK (one = 1), since, version, id)`);
db.prepare("INSERT OR IGNORE INTO slack VALUES (1, ?, 0, '')").run(
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
    since: new Date(db.prepare("SELECT since FROM slack").get()?.since),
    formats: { transcript: false },
    onChange: postSummaries,
    signal: stop.signal,
  });
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  server.close();
}

/** Posts what was not posted. */
async function postSummaries(): Promise<void> {
  const summaries = db.prepare(`
    SELECT d.version, d.id, d.content, m.title
    FROM notetaker_documents AS d
    JOIN notetaker_meetings AS m ON (m.account, m.id) = (d.account, d.meeting_id)
    WHERE (d.version, d.id) > (SELECT version, id FROM slack)
      AND d.title LIKE '%summary%'
    ORDER BY d.version, d.id`);
  const setPosted = db.prepare("UPDATE slack SET version = ?, id = ?");
  for (const { version, id, content, title } of summaries.all()) {
    await post(title ?? "A meeting", content);
    setPosted.run(version, id); // killed before this, it posts it again
  }
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
