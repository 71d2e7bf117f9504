/** The Slack poster, with a local server instead of Slack's API. */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { hasSqlite } from "../../test/support/has-sqlite.js";
import { httpServer } from "../../test/support/servers.js";
import { deliverOverHttp, emulatedAccount, meetingId } from "./support/emulated-account.js";
import { recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";

interface Post {
  path: string | undefined;
  authorization: string | undefined;
  form: URLSearchParams;
}

const titleOf = (post?: Post) => JSON.parse(post?.form.get("blocks") ?? "[]")[0]?.text.text;

/** Slack's `chat.postMessage`, which answers `internal_error` while it is down. */
async function slack() {
  const posts: Post[] = [];
  const state = { down: false, refused: "" };
  const origin = await httpServer(async (request: IncomingMessage, response) => {
    posts.push({
      path: request.url,
      authorization: request.headers.authorization,
      form: new URLSearchParams(await text(request)),
    });
    response.setHeader("content-type", "application/json");
    const isRefused = state.refused !== "" && titleOf(posts.at(-1)) === state.refused;
    const error = state.down ? "internal_error" : "invalid_blocks";
    response.end(JSON.stringify(state.down || isRefused ? { ok: false, error } : { ok: true, ts: "1.2" }));
  });
  return { posts, state, url: `${origin}/api/` };
}

test.runIf(hasSqlite)(
  "the Slack poster posts each summary once, also without its event, and continues after a failure of Slack",
  async () => {
    const { service, env } = await emulatedAccount({ stepTimes: "manual", now: () => Date.now() });
    const { posts, state, url: slackUrl } = await slack();
    const folder = recipeFolder("slack-poster");
    const variables = {
      ...env,
      SLACK_TOKEN: "xoxb-1",
      SLACK_CHANNEL: "C1",
      SLACK_API_URL: slackUrl,
      SINCE: "2025-01-01",
    };
    const titles = () => posts.map(titleOf);
    const count = service.meetings.list().filter(({ documents }) => documents.length > 0).length;

    state.down = true;
    const failed = await startProgram(folder, "slack-poster.ts", variables);
    await failed.printed(/internal_error|An API error occurred/);
    expect(await failed.stop()).toBe(1);
    const [failedTitle = ""] = titles();
    expect(failedTitle).toBeDefined();
    posts.length = 0;
    state.down = false;

    // Another account in the same database has a cursor of its own, behind the first one's. One message is refused for
    // good, and what the first run has stored is posted even though the service is away.
    const other = await emulatedAccount({ stepTimes: "manual", now: () => Date.now() });
    const another = { ...variables, ...other.env, ACCOUNT: "other" };
    state.refused = "Quarterly planning";
    const second = await startProgram(folder, "slack-poster.ts", another);
    await second.printed(/the summary of mtg_\w+ is put aside: invalid_blocks/);
    await vi.waitUntil(() => posts.length === count, 60_000);
    expect(await second.stop()).toBe(0);
    state.refused = "";
    posts.length = 0;
    const away = await startProgram(folder, "slack-poster.ts", { ...variables, NOTETAKER_BASE_URL: slackUrl });
    await vi.waitUntil(() => titles().includes(failedTitle), 60_000);
    await away.stop();
    const stored = posts.length;

    const program = await startProgram(folder, "slack-poster.ts", variables);
    deliverOverHttp(service, program.url);
    await vi.waitUntil(() => posts.length === count, 60_000);
    expect(stored).toBeGreaterThan(0);
    expect(posts[0]).toMatchObject({ path: "/api/chat.postMessage", authorization: "Bearer xoxb-1" });
    expect(posts[0]?.form.get("channel")).toBe("C1");
    const [, summary] = JSON.parse(posts[0]?.form.get("blocks") ?? "[]");
    expect(summary.type).toBe("markdown");
    expect(summary.text.length).toBeGreaterThan(100);

    // Two deliveries of an event, and a new summary of a meeting that has none yet.
    const id = meetingId(service, "Weekly product sync");
    service.webhooks.next({ duplicate: true });
    await service.webhooks.send("meeting.initial_summary_ready", id);
    const late = service.meetings.list().find(({ status }) => status === "processing")?.id ?? "";
    await service.meetings.transcribe(late);
    await service.meetings.summarise(late);
    await vi.waitUntil(() => posts.length > count, 60_000);
    expect(await program.stop()).toBe(0);
    expect(new Set(titles()).size).toBe(posts.length);
    expect(posts).toHaveLength(count + 1);
  },
);
