/** The components against simulated answers of their server: lists, live events, uploads. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type HttpHandler, HttpResponse, http } from "msw";
import {
  ConnectionError,
  errorResponse,
  ForbiddenError,
  RateLimitedError,
  UnauthorizedError,
} from "notetaker-sdk";
import { expect, onTestFinished, test, vi } from "vitest";
import { App } from "../src/app";
import { timeOf } from "../src/meeting-facts";
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

const list = (answer: (query: URLSearchParams) => Response) =>
  http.get("/api/meetings", ({ request }) =>
    answer(new URL(request.url).searchParams),
  );

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

/** The page, whose server answers with these handlers, and else has nothing. */
function show(...handlers: HttpHandler[]) {
  server.use(
    ...handlers,
    eventStream().handler,
    list(() => page([])),
    http.get("/api/meetings/mtg_1", () => HttpResponse.json(meeting("mtg_1"))),
    http.get("/api/meetings/mtg_1/:part", () =>
      errorResponse(new ForbiddenError()),
    ),
  );
  render(
    <QueryClientProvider client={new QueryClient()}>
      <App />
    </QueryClientProvider>,
  );
  return userEvent.setup({
    advanceTimers: (ms) =>
      void (vi.isFakeTimers() && vi.advanceTimersByTime(ms)),
  });
}

async function record(user: ReturnType<typeof show>) {
  await user.click(screen.getByRole("button", { name: "Record a meeting" }));
}

test("the list loads more meetings, page by page", async () => {
  const user = show(
    list((query) =>
      query.get("cursor") === "c2"
        ? page([meeting("mtg_2")])
        : page([meeting("mtg_1")], "c2"),
    ),
  );
  await user.click(await screen.findByRole("button", { name: "Load more" }));
  const added = await screen.findByRole("link", { name: /Meeting mtg_2/ });
  expect(document.activeElement).toBe(added);
  expect(screen.getByText("Meeting mtg_1")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Load more" })).toBeNull();
});

test("after a page that could not be loaded, a new meeting does not take the focus", async () => {
  const events = eventStream();
  let first = [meeting("mtg_1")];
  const user = show(
    events.handler,
    list((query) =>
      query.get("cursor") === "c2"
        ? errorResponse(new ForbiddenError())
        : page(first, "c2"),
    ),
  );
  await user.click(await screen.findByRole("button", { name: "Load more" }));
  await screen.findByRole("alert");
  const field = screen.getByLabelText("Search meetings");
  field.focus();
  first = [meeting("mtg_0"), meeting("mtg_1")];
  events.send({
    kind: "meeting.transcript_ready",
    meetingId: "mtg_0",
    payload: {},
  });
  await screen.findByText("Meeting mtg_0");
  expect(document.activeElement).toBe(field);
});

const recording = new File(["RIFF"], "weekly.wav", { type: "audio/wav" });

test("a recording is uploaded with its media type; a 429 of the service says when to try again", async () => {
  const uploads: (string | null)[] = [];
  const answers = [
    errorResponse(new RateLimitedError({ retryAfterMs: 7_000 })),
    HttpResponse.json({ id: "mtg_9", status: "processing" }),
  ];
  const user = show(
    http.put("/api/recordings", ({ request }) => {
      uploads.push(request.headers.get("content-type"));
      return answers.shift();
    }),
  );
  for (const sentence of [/Try again in 7 s./, /weekly.wav is uploaded/]) {
    await record(user);
    await user.upload(screen.getByLabelText("Recording"), recording);
    await screen.findByText(sentence);
  }
  expect(uploads).toEqual(["audio/wav", "audio/wav"]);
});

test("the page says that it is offline, keeps what it has, and sends no bot", async () => {
  const user = show(list(() => page([meeting("mtg_1")])));
  await screen.findByText("Live");
  await record(user);
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  dispatchEvent(new Event("offline"));
  await screen.findByText("Offline");
  await screen.findByText("You are offline.");
  expect(screen.getByRole("button", { name: "Send bot" })).toHaveProperty(
    "disabled",
    true,
  );
  expect(screen.getByText("Meeting mtg_1")).toBeDefined();
  online.mockRestore();
  dispatchEvent(new Event("online"));
  await screen.findByText("Live");
});

test("while the service does not answer, the page is not live, and the list keeps its rows", async () => {
  const { handler, send } = eventStream();
  let isThere = true;
  show(
    handler,
    list(() =>
      isThere ? page([meeting("mtg_1")]) : errorResponse(new ConnectionError()),
    ),
  );
  await screen.findByText("Live");
  isThere = false;
  send({ kind: "meeting.transcript_ready", meetingId: "mtg_1", payload: {} });
  await screen.findByText("The service does not answer");
  expect(screen.getByText("Meeting mtg_1")).toBeDefined();
});

test("a refused token is an answer of the service: the page is live, and says what is refused", async () => {
  show(list(() => errorResponse(new UnauthorizedError())));
  await screen.findByText(/The service refuses this account/);
  await screen.findByText("Live");
});

test("React has no complaint when a meeting is shown as soon as the service answers again", async () => {
  history.replaceState(null, "", "/meetings/mtg_1");
  const complaints = vi.spyOn(console, "error");
  onTestFinished(() => complaints.mockRestore());
  const transcript = {
    meeting_id: "mtg_1",
    speakers: [{ id: "s", name: "Ada" }],
    segments: [{ speaker_id: "s", start_time: 0, end_time: 1, text: "Hi" }],
  };
  const answers = [errorResponse(new ConnectionError())];
  show(
    http.get(
      "/api/meetings/mtg_1/transcript",
      () => answers.shift() ?? HttpResponse.json(transcript),
    ),
  );
  await screen.findByText("The service does not answer");
  await screen.findByLabelText("Search the transcript");
  expect(complaints.mock.calls).toEqual([]);
});

test("a search without a result leads back to all meetings", async () => {
  const user = show(
    list((query) => page(query.get("search") ? [] : [meeting("mtg_1")])),
  );
  await user.type(screen.getByLabelText("Search meetings"), "budget");
  await screen.findByText("No meeting matches “budget”.");
  await user.click(screen.getByRole("button", { name: "Show all meetings" }));
  await screen.findByText("Meeting mtg_1");
  expect(screen.getByLabelText("Search meetings")).toHaveProperty("value", "");
});

test("a hit that has its words in a title leads to the meeting, and what nobody said is told", async () => {
  history.replaceState(null, "", "/search?search=budget");
  const hit = {
    meeting: { ...meeting("mtg_1"), title: "Budget", gone: false },
    kind: "document",
    text: "# Budget\n\n- Nothing **was** decided.",
    matches: [],
    document: { id: "doc_1", title: "Summary" },
    exact: true,
  };
  const user = show(
    http.get("/api/search", ({ request }) =>
      HttpResponse.json(
        new URL(request.url).searchParams.get("q") === "budget" ? [hit] : [],
      ),
    ),
  );
  const link = await screen.findByRole("link", { name: /Nothing was decided/ });
  expect(link.getAttribute("href")).toBe("/meetings/mtg_1");
  expect(link.textContent).not.toMatch(/[#*]/);
  await user.type(screen.getByLabelText("Search what was said"), "x");
  await screen.findByText(/Nobody said it/);
  expect(screen.queryByText("Nothing was decided.")).toBeNull();
});

test("a script in a summary does not run, and its Markdown is shown as HTML", async () => {
  history.replaceState(null, "", "/meetings/mtg_1");
  const elsewhere = "https://elsewhere.example/x";
  const content = `# Meeting mtg_1\n\n# Notes\n\n## Decided\n\n### Why\n\n# Open\n\n<h1>As HTML</h1>\n\n- **one**\n\n![x](${elsewhere})\n\n<img src=x onerror="globalThis.ran = 1"><a href="javascript:alert(1)">x</a>
<video poster="${elsewhere}"><source src="${elsewhere}"></video><audio src="${elsewhere}"></audio><picture><source srcset="${elsewhere}"></picture>
<table background="${elsewhere}"><tr><td background="${elsewhere}" style="background: url(${elsewhere})">x</td></tr></table><svg><image href="${elsewhere}"/></svg>`;
  show(
    http.get("/api/meetings/mtg_1/summary", () =>
      HttpResponse.json({ content }),
    ),
  );
  const summary = await screen.findByRole("region", { name: "Summary" });
  expect(summary.innerHTML).toContain("<li><strong>one</strong></li>");
  const headings = [...summary.querySelectorAll("h1, h2, h3, h4")];
  expect(headings.map((h) => `${h.localName} ${h.textContent}`)).toEqual([
    "h3 Notes",
    "h3 Decided",
    "h4 Why",
    "h3 Open",
  ]);
  expect(summary.querySelector("script, [href], [onerror]")).toBeNull();
  expect(summary.innerHTML).not.toContain("elsewhere.example");
});

test("a URL of no page says so", async () => {
  history.replaceState(null, "", "/nowhere");
  show();
  await screen.findByText("There is no such page.");
});

test("a meeting that failed says so, and asks for no transcript", async () => {
  history.replaceState(null, "", "/meetings/mtg_1");
  const asked: string[] = [];
  show(
    http.get("/api/meetings/mtg_1", () =>
      HttpResponse.json(meeting("mtg_1", "failed")),
    ),
    http.get("/api/meetings/mtg_1/:part", ({ params }) => {
      asked.push(String(params.part));
      return errorResponse(new ForbiddenError());
    }),
  );
  await screen.findByText(/This meeting was not recorded/);
  expect(asked).toEqual([]);
});

test("a refusal of the list is shown at once, a restart of the server is waited for", async () => {
  const answers = [
    () => new HttpResponse(null, { status: 502 }),
    () => errorResponse(new ForbiddenError()),
  ];
  let requests = 0;
  show(
    http.get("/api/meetings", () => {
      requests += 1;
      return answers.shift()?.();
    }),
  );
  await screen.findByRole("alert", {}, { timeout: 5_000 });
  expect(requests).toBe(2);
});

test("an event does not pull the focus out of the search field of the transcript", async () => {
  history.replaceState(null, "", "/meetings/mtg_1");
  const events = eventStream();
  let reads = 0;
  const segment = { speaker_id: "s", start_time: 0, end_time: 1, text: "Hi" };
  const user = show(
    events.handler,
    http.get("/api/meetings/mtg_1", () => {
      reads += 1;
      return HttpResponse.json(meeting("mtg_1"));
    }),
    http.get("/api/meetings/mtg_1/transcript", () =>
      HttpResponse.json({
        meeting_id: "mtg_1",
        speakers: [{ id: "s", name: "Ada" }],
        segments: [segment],
      }),
    ),
  );
  const field = await screen.findByLabelText("Search the transcript");
  await user.type(field, "h");
  events.send({
    kind: "meeting.initial_summary_ready",
    meetingId: "mtg_1",
    payload: {},
  });
  await waitFor(() => expect(reads).toBe(2));
  await screen.findByText(/Untitled/, { selector: ".news a" });
  expect(document.activeElement).toBe(field);
});

test("a bot that was sent is listed, and its failure shown, without an event; then the page asks no more", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  let requests = 0;
  let meetings: object[] = [];
  const user = show(
    http.get("/api/meetings", () => {
      requests += 1;
      return page(meetings);
    }),
    http.post("/api/bots", () => HttpResponse.json({ meeting_id: "mtg_7" })),
  );
  await record(user);
  await user.type(screen.getByLabelText("Link of the call"), "zoom.us/j/1");
  await user.click(screen.getByRole("button", { name: "Send bot" }));
  await waitFor(() => expect(requests).toBe(2));
  await screen.findByText(/^The bot is on its way/);
  meetings = [meeting("mtg_7", "scheduled")];
  await vi.advanceTimersByTimeAsync(2_000);
  await screen.findByText("Bot on its way");
  await waitFor(() =>
    expect(screen.queryByText(/^The bot is on its way/)).toBeNull(),
  );
  meetings = [meeting("mtg_7", "failed")];
  await vi.advanceTimersByTimeAsync(15_000);
  await screen.findByText("Not recorded");
  await vi.advanceTimersByTimeAsync(150_000);
  const before = requests;
  await vi.advanceTimersByTimeAsync(150_000);
  expect(requests).toBe(before);
});

test("a time without an offset is UTC, and one that nobody can read is shown as it is", () => {
  expect(timeOf("2026-03-02T09:00:00")).toBe(timeOf("2026-03-02T09:00:00Z"));
  expect(timeOf("next Monday")).toBe("next Monday");
  expect(timeOf(null)).toBe("");
});
