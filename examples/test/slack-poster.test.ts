/** The Slack poster, with a local server instead of Slack's API. */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { httpServer } from "../../test/support/servers.js";
import { attempts, deliverOverHttp, emulatedAccount, meetingId } from "./support/emulated-account.js";
import { recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";

interface Post {
  path: string | undefined;
  authorization: string | undefined;
  form: URLSearchParams;
}

/** Slack's `chat.postMessage`, which answers `internal_error` while it is down. */
async function slack() {
  const posts: Post[] = [];
  const state = { down: false };
  const origin = await httpServer(async (request: IncomingMessage, response) => {
    posts.push({
      path: request.url,
      authorization: request.headers.authorization,
      form: new URLSearchParams(await text(request)),
    });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(state.down ? { ok: false, error: "internal_error" } : { ok: true, ts: "1.2" }));
  });
  return { posts, state, url: `${origin}/api/` };
}

test("the Slack poster posts each summary once, and retries after a failure", async () => {
  const { service, env } = await emulatedAccount();
  const { posts, state, url: slackUrl } = await slack();
  const program = await startProgram(recipeFolder("slack-poster"), "slack-poster.ts", {
    ...env,
    SLACK_TOKEN: "xoxb-1",
    SLACK_CHANNEL: "C1",
    SLACK_API_URL: slackUrl,
  });
  deliverOverHttp(service, program.url);

  const id = meetingId(service, "Weekly product sync");
  service.webhooks.next({ duplicate: true });
  await service.webhooks.send("meeting.initial_summary_ready", id);
  expect(posts).toHaveLength(1);
  expect(posts[0]).toMatchObject({ path: "/api/chat.postMessage", authorization: "Bearer xoxb-1" });
  expect(posts[0]?.form.get("channel")).toBe("C1");
  const [header, summary] = JSON.parse(posts[0]?.form.get("blocks") ?? "[]");
  expect(header.text.text).toBe("Weekly product sync");
  expect(summary.type).toBe("markdown");
  expect(summary.text.length).toBeGreaterThan(100);

  // If the summary is missing or Slack fails, the service is asked to deliver the event again.
  await service.webhooks.send("meeting.initial_summary_ready", meetingId(service, "Partner call"));
  expect(attempts(service)).toEqual([503]);
  state.down = true;
  await service.webhooks.send("meeting.initial_summary_ready", meetingId(service, "Quarterly planning"));
  expect(attempts(service)).toEqual([503]);
  state.down = false;
  await service.clock.advance(1_000);
  expect(attempts(service)).toEqual([503, 200]);
  expect(await program.stop()).toBe(0);
});
