/**
 * Posts the summary of each meeting to a Slack channel (Node 22.16 and later).
 *
 *   SLACK_TOKEN=xoxb-… SLACK_CHANNEL=C0123456789 npx tsx slack-poster.ts
 */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import { ErrorCode, WebClient } from "@slack/web-api";
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { sqliteStore } from "notetaker-sdk/sql";
import { createReceiver, toNodeListener } from "notetaker-sdk/webhooks";

const {
  SLACK_TOKEN,
  SLACK_CHANNEL = "#meetings",
  SLACK_API_URL,
  NOTETAKER_WEBHOOK_SECRET,
  DATABASE = "slack-poster.sqlite",
  ACCOUNT = "", // its name in the database, if there are several
  SINCE = new Date().toISOString(),
  PORT = "3000",
} = process.env;
const slack = new WebClient(
  SLACK_TOKEN,
  SLACK_API_URL === undefined ? {} : { slackApiUrl: SLACK_API_URL },
);

const db = new DatabaseSync(DATABASE);
const into = sqliteStore(db, { account: ACCOUNT });
await into.readState(); // makes the tables
// Of each account: its first start, so that no earlier meeting is posted, and
// the last summary that was posted.
db.exec(`
  CREATE TABLE IF NOT EXISTS slack_posted (
    account TEXT PRIMARY KEY, since TEXT NOT NULL, version INTEGER NOT NULL,
    meeting_id TEXT NOT NULL, id TEXT NOT NULL, format TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS slack_refused (account, meeting_id, id, error)`);
db.prepare(
  "INSERT INTO slack_posted VALUES (?, ?, 0, '', '', '') ON CONFLICT DO NOTHING",
).run(ACCOUNT, SINCE);
const first = db.prepare("SELECT since FROM slack_posted WHERE account = ?");
const since = new Date(String(first.get(ACCOUNT)?.since));

const receiver = createReceiver({ secrets: NOTETAKER_WEBHOOK_SECRET });
const server = createServer(toNodeListener(receiver.handle));
server.listen(Number(PORT), "127.0.0.1", () =>
  console.log("listening on", server.address()),
);

// #region run
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
try {
  await postSummaries(); // what an earlier run has stored and not posted
  await syncMeetings(new Notetaker(), {
    into,
    follow: true,
    wake: receiver.events(),
    since,
    formats: { transcript: false, documents: ["markdown"] },
    onChange: postSummaries,
    signal: stop.signal,
  });
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  server.close();
}
// #endregion

async function postSummaries() {
  const summaries = db.prepare(`
    SELECT d.version, d.meeting_id, d.id, d.format, d.content, m.title
    FROM notetaker_documents AS d
    JOIN notetaker_meetings AS m ON (m.account, m.id) = (d.account, d.meeting_id)
    WHERE d.account = ? AND d.kind = 'summary'
      AND (d.version, d.meeting_id, d.id, d.format) >
        (SELECT version, meeting_id, id, format
        FROM slack_posted WHERE account = d.account)
    ORDER BY d.version, d.meeting_id, d.id, d.format`);
  const setPosted = db.prepare(`
    INSERT INTO slack_posted VALUES (?, '', ?, ?, ?, ?)
    ON CONFLICT (account) DO UPDATE SET version = excluded.version,
      meeting_id = excluded.meeting_id, id = excluded.id,
      format = excluded.format`);
  for (const row of summaries.all(ACCOUNT)) {
    const { version, meeting_id, id, format } = row;
    try {
      await post(String(row.title ?? "A meeting"), String(row.content));
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === undefined) throw error;
      // Slack will never take this message: it must not stop the later ones.
      console.error(`the summary of ${meeting_id} is put aside: ${reason}`);
      db.prepare("INSERT INTO slack_refused VALUES (?, ?, ?, ?)").run(
        ...[ACCOUNT, meeting_id ?? null, id ?? null, reason],
      );
    }
    setPosted.run(
      ...[ACCOUNT, version ?? null, meeting_id ?? null],
      ...[id ?? null, format ?? null],
    );
  }
}

/** Why Slack refuses this message, and not the token, the channel or all of them. */
function refusalOf(error: unknown): string | undefined {
  const { code, data } = error as { code?: string; data?: { error: string } };
  if (code !== ErrorCode.PlatformError || data === undefined) return undefined;
  return /block|msg_too_long|no_text|invalid_arg/.test(data.error)
    ? data.error
    : undefined;
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
