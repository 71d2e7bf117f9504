/**
 * Shows the operations of the service step by step: `npm start`.
 *
 * By default it uses the embedded emulator, which needs no account and no network. With NOTETAKER_BASE_URL and
 * NOTETAKER_TOKEN set, it uses the live service, and only reads from it unless you pass `--write`.
 */
import { InvalidArgumentError, Notetaker, NotFoundError, syncMeetings } from "notetaker-sdk";
import { exampleService } from "./support/client.js";
import { localCopy } from "./tour/local-copy.js";
import { runSteps, type Step } from "./tour/steps.js";
import { toneWav } from "./tour/wav.js";

const { live, service, options } = exampleService();
const write = process.argv.includes("--write");

const attempts: string[] = [];
const notetaker = new Notetaker({
  ...options,
  middleware: [
    async (request, next) => {
      const response = await next(request);
      attempts.push(`${request.method} ${new URL(request.url).pathname} → ${response.status}`);
      return response;
    },
  ],
});

/** A completed meeting, and a document: the first step finds them, and later steps read them. */
let meetingId = "";
let documentId = "";

const steps: Step[] = [
  {
    title: "List rooms with their meetings and documents, across pages",
    async run() {
      const lines: string[] = [];
      for await (const room of notetaker.rooms.list({ expand: ["meetings", "documents"], limit: 2 })) {
        lines.push(`${room.title}: ${room.meeting_count} meetings, ${room.documents.length} documents`);
        meetingId ||= room.meetings.find(({ status }) => status === "completed")?.id ?? "";
        documentId ||= room.documents[0]?.id ?? "";
      }
      return `${lines.join("\n")}\n(${attempts.length} requests, 2 rooms a page)`;
    },
  },
  {
    title: "Send the bot to a call",
    writes: true,
    run: async () => await notetaker.meetings.sendBot({ meeting_url: "https://meet.google.com/abc-defg-hij" }),
  },
  {
    title: "Reject a link that is not a supported call, before a request is sent",
    async run() {
      const sent = attempts.length;
      const error = await refusal(notetaker.meetings.sendBot({ meeting_url: "https://example.com/call" }));
      if (!(error instanceof InvalidArgumentError)) throw error;
      return { error: error.name, issues: error.issues, outcome: error.outcome, requests: attempts.length - sent };
    },
  },
  {
    title: "Catch a meeting that is not found",
    async run() {
      const error = await refusal(notetaker.meetings.getTranscript("mtg_does_not_exist"));
      if (!(error instanceof NotFoundError)) throw error;
      return { error: error.name, status: error.status, code: error.code, message: error.message };
    },
  },
  {
    title: "Wait and retry after a 429 with a Retry-After of one second",
    emulatorOnly: true,
    async run() {
      service.faults.next("GET /meetings/:id/transcript", { status: 429, retryAfterSeconds: 1 });
      const sent = attempts.length;
      const started = performance.now();
      const { segments } = await notetaker.meetings.getTranscript(meetingId);
      const waited = `${((performance.now() - started) / 1000).toFixed(1)} s`;
      return { requests: attempts.slice(sent), waited, segments: segments.length };
    },
  },
  {
    title: "Upload a small recording (two seconds of WAV), and wait for its summary",
    writes: true,
    async run() {
      const params = { title: "Tone", language: "en", contentType: "audio/wav" };
      const { id, status } = await notetaker.meetings.upload(toneWav(2), params);
      // The live service may take minutes.
      if (live) return { id, status };
      const statuses: (string | undefined)[] = [];
      const summary = await notetaker.meetings.waitForDocument(id, "summary", {
        format: "markdown",
        pollMs: 10,
        onPoll: (report) => {
          statuses.push(report.status);
          service.clock.advance(15_000);
        },
      });
      return { id, status, polls: statuses, summary: summary.content };
    },
  },
  {
    title: "Read a transcript",
    async run() {
      if (meetingId === "") return "(no room has a completed meeting yet)";
      const { segments, speakers, language } = await notetaker.meetings.getTranscript(meetingId);
      const names = new Map(speakers.map(({ id, name }) => [id, name]));
      const first = segments.slice(0, 3).map(({ speaker_id, text }) => `${names.get(speaker_id)}: ${text}`);
      return `${first.join("\n")}\n(${segments.length} segments, language ${language})`;
    },
  },
  {
    title: "Read a document as Markdown",
    async run() {
      if (documentId === "") return "(no room has a document yet)";
      const { title, format, content } = await notetaker.documents.get(documentId, { format: "markdown" });
      return `${title} (${format})\n\n${content.split("\n").slice(0, 6).join("\n")}`;
    },
  },
  {
    title: "Share a meeting with anyone who has the link",
    writes: true,
    async run() {
      const granted = await notetaker.permissions.set(meetingId, { recipient: { type: "anyone" }, role: "read" });
      const { data, share_url } = await notetaker.permissions.list(meetingId);
      return { granted, permissions: data.length, share_url };
    },
  },
  {
    title: "Change which calendar events the bot joins automatically",
    writes: true,
    async run() {
      const before = await notetaker.settings.getNotetakerAutomation();
      const automation = before.automation === "JOIN_AS_HOST" ? "JOIN_ALL_EVENTS" : "JOIN_AS_HOST";
      const after = await notetaker.settings.setNotetakerAutomation({ automation });
      return `${before.automation} → ${after.automation}`;
    },
  },
  {
    title: "List webhooks",
    run: async () =>
      (await notetaker.webhooks.list()).map(({ id, url, events, enabled }) => ({ id, url, events, enabled })),
  },
  {
    title: "Keep a copy of all meetings, with their transcripts and documents",
    async run() {
      const { store, path } = await localCopy();
      // A large account takes hours: a budget ends the run early, and the next one would go on there. The emulator
      // need not be spared.
      const pace = live ? { budget: { requests: 20 } } : { requestsPerMinute: 1_000 };
      const { ended, meetings, missingCount } = await syncMeetings(notetaker, { into: store, ...pace });
      return { ended, meetings, missing: missingCount, path };
    },
  },
];

/** The error with which a call rejects. */
async function refusal(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => new Error("expected the call to fail, but it succeeded"),
    (error: unknown) => error,
  );
}

console.log(live ? `The live service (${write ? "reading and writing" : "reading only"})` : "The embedded emulator");
process.exitCode = (await runSteps(steps, { live, write })) ? 0 : 1;
