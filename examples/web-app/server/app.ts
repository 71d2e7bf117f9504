/** The server of the page: it has the token, and passes on what the page may see. */
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import {
  EVENT_KINDS,
  errorResponse,
  InvalidArgumentError,
  type Notetaker,
  parseMeetingLink,
} from "notetaker-sdk";
import type { Archive } from "notetaker-sdk/sql";
import { toVtt } from "notetaker-sdk/transcript";
import { createReceiver, createRelay } from "notetaker-sdk/webhooks";
import { currentUser } from "./current-user.js";
import { guard } from "./guard.js";

/** The object of a request's body. */
async function jsonOf(c: Context) {
  const body = await c.req.json().catch(() => undefined);
  if (typeof body === "object" && body !== null) return body;
  const issues = [{ path: "", message: "expected JSON" }];
  throw new InvalidArgumentError({ issues });
}

interface Options {
  webhookSecret: string;
  archive: Pick<Archive, "search">;
  /** Where the page is, such as `app.example.com`; this machine in any case. */
  hosts?: readonly string[];
}

// #region start
export function createApp(notetaker: Notetaker, options: Options) {
  const { webhookSecret, archive, hosts = [] } = options;
  const relay = createRelay({ authorize: currentUser });
  const receiver = createReceiver({ secrets: webhookSecret });
  for (const kind of EVENT_KINDS)
    receiver.on(kind, (event) => relay.publish(event));

  const app = new Hono();
  // A delivery has a signature in place of a login.
  app.post("/hooks/notetaker", (c) => receiver.handle(c.req.raw));
  app.use(guard(hosts));
  app.get("/events", (c) => relay.handle(c.req.raw));
  app.use("/api/*", async (c, next) => {
    if (currentUser(c.req.raw) === undefined) return c.text("log in", 401);
    await next();
  });
  // #endregion

  const { meetings, documents, permissions } = notetaker;
  const id = (c: Context) => c.req.param("id") as string;
  // When the page leaves, the request to the service ends.
  const request = (c: Context) => ({ signal: c.req.raw.signal });

  app.get("/api/meetings", async (c) => {
    const { cursor, search } = c.req.query();
    const page = await meetings.list(
      {
        limit: 8,
        expand: ["documents"],
        ...(cursor && { cursor }),
        ...(search && { search }),
      },
      request(c),
    );
    return c.json(page.toJSON());
  });
  app.get("/api/search", async (c) =>
    c.json(await archive.search(c.req.query("q") ?? "", request(c))),
  );
  app.get("/api/meetings/:id", async (c) =>
    c.json(await meetings.get(id(c), { expand: ["documents"] }, request(c))),
  );
  app.get("/api/meetings/:id/transcript", async (c) =>
    c.json(await meetings.getTranscript(id(c), request(c))),
  );
  app.get("/api/meetings/:id/summary", async (c) => {
    const format = { format: "markdown" } as const;
    const summary = await documents.find(id(c), "summary", format, request(c));
    return c.json({ content: summary?.content });
  });
  app.get("/api/meetings/:id/captions.vtt", async (c) => {
    const transcript = await meetings.getTranscript(id(c), request(c));
    return c.body(toVtt(transcript), 200, {
      "content-type": "text/vtt; charset=utf-8",
    });
  });
  // The link is short-lived: the page asks for a new one when the player fails.
  app.get("/api/meetings/:id/recording", async (c) =>
    c.json(await meetings.getRecording(id(c), request(c))),
  );
  app.get("/api/meetings/:id/permissions", async (c) => {
    const page = await permissions.list(id(c), { limit: 100 }, request(c));
    return c.json(page.toJSON());
  });
  const limit = bodyLimit({
    maxSize: 100_000,
    onError: (c) => c.text("too large", 413),
  });
  app.post("/api/meetings/:id/permissions", limit, async (c) => {
    const { email } = await jsonOf(c);
    const recipient =
      email === undefined
        ? { type: "anyone" }
        : { type: "teammate", email: String(email).trim() };
    const permission = { recipient, role: "read" };
    return c.json(await permissions.set(id(c), permission, request(c)));
  });
  app.delete("/api/meetings/:id/permissions/:permission", async (c) => {
    await permissions.revoke(id(c), c.req.param("permission"), request(c));
    return c.body(null, 204);
  });
  app.post("/api/bots", limit, async (c) => {
    const bot = await jsonOf(c);
    const link = parseMeetingLink(String(bot.meeting_url))?.url; // of an invitation
    const wanted = link ? { ...bot, meeting_url: link } : bot;
    return c.json(await meetings.sendBot(wanted, request(c)), 202);
  });
  app.put("/api/recordings", async (c) => {
    const { body, headers } = c.req.raw;
    // The body is passed on as it arrives, so that the page's progress is that
    // of the service. Not every browser and proxy says its length.
    const recording = {
      title: c.req.query("title"),
      contentType: headers.get("content-type") ?? undefined,
      size: Number(headers.get("content-length")) || undefined,
    };
    return c.json(
      await meetings.upload(body ?? new Uint8Array(), recording, request(c)),
    );
  });

  app.onError((error, c) => {
    const { aborted } = c.req.raw.signal; // the page has left
    if (!aborted) console.error(c.req.method, c.req.path, error);
    return errorResponse(error);
  });
  return { app, events: receiver.events(), close: () => relay.close() };
}
