/** The components against simulated answers of their server: lists, live events, uploads. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { errorResponse, ForbiddenError, RateLimitedError } from "notetaker-sdk";
import { expect, test } from "vitest";
import { App } from "../src/app";
import { server } from "./setup";

const meeting = (id: string, status = "completed") => ({
  id,
  title: `Meeting ${id}`,
  status,
  source: "zoom",
  start_time: "2026-03-02T09:00:00Z",
  duration: 1_800,
  documents: [],
});
const page = (data: object[], next_cursor: string | null = null) =>
  HttpResponse.json({ data, next_cursor, has_more: next_cursor !== null });

// #region stream
/** A stream that stays open: `send` is an event that arrives on it. */
function eventStream() {
  let send = (_: object) => {};
  const body = new ReadableStream<string>({
    start(controller) {
      send = (event) =>
        controller.enqueue(`id: 1\ndata: ${JSON.stringify(event)}\n\n`);
    },
  }).pipeThrough(new TextEncoderStream());
  const handler = http.get(
    "/events",
    () =>
      new HttpResponse(body, {
        headers: { "content-type": "text/event-stream" },
      }),
  );
  return { handler, send: (event: object) => send(event) };
}

// #endregion
const quiet = () => eventStream().handler;

function show() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

test("the list loads more meetings, page by page", async () => {
  server.use(
    quiet(),
    http.get("/api/meetings", ({ request }) =>
      new URL(request.url).searchParams.get("cursor") === "c2"
        ? page([meeting("mtg_2")])
        : page([meeting("mtg_1")], "c2"),
    ),
  );
  const user = show();
  await user.click(await screen.findByRole("button", { name: "Load more" }));
  await screen.findByText("Meeting mtg_2");
  expect(screen.getByText("Meeting mtg_1")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
});

// #region event
test("an event updates the meeting in the list, and is announced", async () => {
  const events = eventStream();
  let status = "processing";
  server.use(
    events.handler,
    http.get("/api/meetings", () => page([meeting("mtg_1", status)])),
  );
  show();
  await screen.findByText("In progress");
  status = "completed";
  events.send({
    kind: "meeting.transcript_ready",
    meetingId: "mtg_1",
    payload: { title: "Weekly" },
  });
  await screen.findByText("Completed");
  expect(screen.getByRole("list", { name: "News" }).textContent).toContain(
    "Transcript ready Weekly",
  );
});
// #endregion

const recording = new File(["RIFF"], "weekly.wav", { type: "audio/wav" });

test("a recording is uploaded with its media type", async () => {
  const uploads: (string | null)[] = [];
  server.use(
    quiet(),
    http.get("/api/meetings", () => page([])),
    http.put("/api/recordings", ({ request }) => {
      uploads.push(
        new URL(request.url).searchParams.get("title"),
        request.headers.get("content-type"),
      );
      return HttpResponse.json({ id: "mtg_9", status: "processing" });
    }),
  );
  const user = show();
  await user.upload(screen.getByLabelText("Recording"), recording);
  await user.click(screen.getByRole("button", { name: "Upload" }));
  await screen.findByText(/weekly.wav is uploaded/);
  expect(uploads).toEqual(["weekly.wav", "audio/wav"]);
});

test("an upload can be cancelled", async () => {
  server.use(
    quiet(),
    http.get("/api/meetings", () => page([])),
    http.put("/api/recordings", () => new Promise<never>(() => {})),
  );
  const user = show();
  await user.upload(screen.getByLabelText("Recording"), recording);
  await user.click(screen.getByRole("button", { name: "Upload" }));
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await screen.findByText("You cancelled the upload.");
});

// #region refused
test("a 429 of the service says when to try again", async () => {
  server.use(
    quiet(),
    http.get("/api/meetings", () => page([])),
    http.put("/api/recordings", () =>
      errorResponse(new RateLimitedError({ retryAfterMs: 7_000 })),
    ),
  );
  const user = show();
  await user.upload(screen.getByLabelText("Recording"), recording);
  await user.click(screen.getByRole("button", { name: "Upload" }));
  await screen.findByText("Too many requests. Try again in 7 s.");
});
// #endregion

test("a refusal of the list is shown at once, a restart of the server is waited for", async () => {
  const answers = [
    () => new HttpResponse(null, { status: 502 }),
    () => errorResponse(new ForbiddenError()),
  ];
  let requests = 0;
  server.use(
    quiet(),
    http.get("/api/meetings", () => {
      requests += 1;
      return answers.shift()?.();
    }),
  );
  show();
  await screen.findByRole("alert", {}, { timeout: 5_000 });
  expect(requests).toBe(2);
});
