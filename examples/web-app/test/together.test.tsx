/** The page and its own server, against the emulator: no port is opened. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
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
  const { app, close } = createApp(notetaker, secret);
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
  return { service, close };
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

test("whoever sends a bot without a link is asked for the link", async () => {
  const { close } = await together();
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Record a meeting" }));
  await user.click(screen.getByRole("button", { name: "Send bot" }));
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toBe("Paste the link of the call first.");
  await close();
});
