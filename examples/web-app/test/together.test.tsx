/** The page and its own server, against the emulator: no port is opened. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { http } from "msw";
import { EVENT_KINDS, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { expect, test } from "vitest";
import { createApp } from "../server/app";
import { App } from "../src/app";
import { server } from "./setup";

async function together() {
  const service = createEmulator();
  const notetaker = new Notetaker(service.clientOptions);
  const { secret } = await notetaker.webhooks.create({
    url: "https://app.example.com/hooks/notetaker",
    events: [...EVENT_KINDS],
  });
  const { app, close } = createApp(notetaker, {
    webhookSecret: secret,
    archive: { search: async () => [] },
    hosts: ["app.example.com"],
  });
  // The emulator's deliveries, and the requests of the page.
  service.webhooks.deliverTo((request) => app.fetch(request));
  server.use(
    http.all("/api/*", ({ request }) => app.fetch(request)),
    http.get("/events", ({ request }) => app.fetch(request)),
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App />
    </QueryClientProvider>,
  );
  return { service, app, close };
}

test("an event of the service reaches the page, and the list is read again", async () => {
  const { service, close } = await together();
  await screen.findByText("In progress");
  const { id } = service.meetings
    .list()
    .find(({ status }) => status === "processing")!;

  await service.meetings.transcribe(id);

  const news = await screen.findByText("Transcript ready", {
    selector: ".news b",
  });
  expect(news).toBeDefined();
  await close();
});

test("a URL with an id that no meeting has is told so", async () => {
  for (const id of ["nonsense", "mtg_nonsense"]) {
    history.replaceState(null, "", `/meetings/${id}`);
    const { close } = await together();
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toBe("There is no such meeting.");
    cleanup();
    await close();
  }
});

test("whoever sends a bot without a link is asked for the link", async () => {
  const { close } = await together();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Record a meeting" }));
  await user.click(screen.getByRole("button", { name: "Send bot" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe("Paste the link of the call first.");
  await user.type(screen.getByLabelText("Link of the call"), "z");
  expect(screen.queryByRole("alert")).toBeNull();
  await close();
});

test("of a pasted invitation, the link is sent", async () => {
  const { service, close } = await together();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Record a meeting" }));
  await user.click(screen.getByLabelText("Link of the call"));
  await user.paste(
    "Join: https://meet.google.com/abc-defg-hij Phone: +49 30 1",
  );
  await user.click(screen.getByRole("button", { name: "Send bot" }));
  const sent = () =>
    service.requests.find(({ route }) => route === "POST /meetings/bot");
  await waitFor(() => expect(sent()?.status).toBe(202));
  await close();
});

test("another page can neither write nor read, under its own name or ours", async () => {
  const { service, app, close } = await together();
  const bot = { method: "POST", body: '{"meeting_url":"https://zoom.us/j/1"}' };
  const writes = () =>
    service.requests.filter(({ route }) => route === "POST /meetings/bot");
  for (const [url, init] of [
    ["http://127.0.0.1:3000/api/bots", { origin: "https://evil.example" }],
    ["http://127.0.0.1:3000/api/bots", { origin: "http://127.0.0.1:4000" }],
    ["http://127.0.0.1:3000/api/bots", { origin: "null" }],
    ["http://127.0.0.1:3000/api/bots", { "sec-fetch-site": "cross-site" }],
    ["http://evil.example/api/bots", { origin: "http://evil.example" }],
  ] as const)
    expect([403, 421]).toContain(
      (await app.request(url, { ...bot, headers: init })).status,
    );
  for (const path of ["api/meetings", "events", "api/meetings/mtg_1"])
    expect((await app.request(`http://evil.example:3000/${path}`)).status).toBe(
      421,
    );
  expect(writes()).toEqual([]);
  const headers = {
    origin: "http://localhost:5173",
    "sec-fetch-site": "same-origin",
  };
  const own = { ...bot, headers };
  expect(
    (await app.request("http://localhost:5173/api/bots", own)).status,
  ).toBe(202);
  await close();
});

test("without a login, only this machine reads: another host of the page gets 401", async () => {
  const { service, app, close } = await together();
  const status = async (url: string) => (await app.request(url)).status;
  await screen.findByText("In progress"); // the page has its list
  const before = service.requests.length;
  for (const path of ["api/meetings", "api/search?q=a", "api/meetings/mtg_1"])
    expect(await status(`https://app.example.com/${path}`)).toBe(401);
  expect(await status("https://app.example.com/events")).toBe(403);
  expect(service.requests.slice(before)).toEqual([]);
  expect(await status("http://localhost:3000/api/meetings")).toBe(200);
  await close();
});

test("a body that is no JSON is refused as one, and one without an end is not read", async () => {
  const { app, close } = await together();
  const post = (body: BodyInit) =>
    app.request("http://localhost:3000/api/bots", { method: "POST", body });
  const bad = await post("{");
  expect(bad.status).toBe(400);
  expect(await bad.json()).toMatchObject({
    error: { name: "InvalidArgumentError", outcome: "not_sent" },
  });
  expect((await post("x".repeat(200_000))).status).toBe(413);
  await close();
});

test("an upload without a length is passed on", async () => {
  const { service, app, close } = await together();
  const body = new Response("RIFF").body;
  const init = { method: "PUT", body, duplex: "half" } as RequestInit;
  const url = "http://localhost:3000/api/recordings?title=Chunked";
  const headers = { "content-type": "audio/wav" };
  expect((await app.request(url, { ...init, headers })).status).toBe(200);
  const titles = service.meetings.list().map(({ title }) => title);
  expect(titles).toContain("Chunked");
  await close();
});
