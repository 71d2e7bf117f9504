/**
 * The program that runs in each runtime: it calls the service over HTTP with the client. Plain JavaScript that every
 * bundler accepts. The service responds to the first `getRecording` with 429.
 */
import { InvalidArgumentError, Notetaker, NotetakerError, NotFoundError } from "notetaker-sdk";
import { toSrt, toVtt } from "notetaker-sdk/transcript";
import { sign, verify } from "notetaker-sdk/webhooks";

function expect(condition, what) {
  if (!condition) throw new Error(`not as expected: ${what}`);
}

const failureOf = (call) =>
  call.then(
    () => undefined,
    (error) => error,
  );

async function* pieces() {
  for (let count = 0; count < 10; count += 1) yield new Uint8Array(100);
}

const STEPS = {
  async list({ notetaker }) {
    const titles = [];
    for await (const room of notetaker.rooms.list({ limit: 1, expand: ["meetings"] })) titles.push(room.title);
    expect(titles.length > 1, `rooms: ${titles}`);
    const first = await notetaker.rooms.list({ limit: 1 });
    const second = await first.nextPage();
    expect(second.data.length === 1 && second.data[0].id !== first.data[0].id, "the second page");
  },
  async upload({ notetaker }) {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 253);
    const { id, status } = await notetaker.meetings.upload(bytes, { contentType: "audio/wav", title: "Panel 🎙" });
    expect(status === "processing" && id.startsWith("mtg_"), status);
  },
  async stream({ notetaker }) {
    const { status } = await notetaker.meetings.upload(pieces(), { contentType: "audio/wav" });
    expect(status === "processing", status);
  },
  async retry({ notetaker, meetingId }) {
    const retried = [];
    const client = notetaker.withOptions({ onRetry: ({ error }) => retried.push(error.name) });
    const { data, response } = await client.meetings.getRecording(meetingId).withResponse();
    expect(data.recording_url !== "" && response.status === 200, "the recording");
    expect(retried.join() === "RateLimitedError", `retried: ${retried}`);
  },
  async download({ notetaker, meetingId }) {
    const { stream } = await notetaker.meetings.downloadRecording(meetingId);
    const reader = stream.getReader();
    let bytes = 0;
    for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.byteLength;
    expect(bytes > 0, `${bytes} bytes`);
  },
  async errors({ notetaker }) {
    const missing = await failureOf(notetaker.meetings.getTranscript("mtg_nothing"));
    expect(missing instanceof NotFoundError && missing instanceof NotetakerError, `${missing}`);
    expect(missing.status === 404 && missing.code === "not_found" && missing.attempts === 1, JSON.stringify(missing));
    expect(missing.message.includes("not found"), missing.message);
    const invalid = await failureOf(notetaker.rooms.list({ limit: 500 }));
    expect(invalid instanceof InvalidArgumentError && invalid.issues[0].path === "limit", `${invalid}`);
  },
  async abort({ notetaker }) {
    const controller = new AbortController();
    const options = { signal: controller.signal, deadlineMs: 60_000 };
    expect((await notetaker.webhooks.list(options)).length > 0, "the webhooks");
    const reason = new Error("left");
    const call = failureOf(notetaker.webhooks.list(options));
    controller.abort(reason);
    expect((await call) === reason, "the reason of the signal");
  },
  async webhook() {
    const body = '{"event":"meeting.transcript_ready","id":"mtg_1"}';
    const event = await verify(body, await sign(body, "secret"), "secret");
    expect(event.meetingId === "mtg_1", `${event.meetingId}`);
  },
  async captions({ notetaker, meetingId }) {
    const transcript = await notetaker.meetings.getTranscript(meetingId);
    expect(toVtt(transcript).startsWith("WEBVTT") && toSrt(transcript).startsWith("1\n"), "captions");
  },
  async redirects({ redirectingUrl }) {
    const elsewhere = new Notetaker({ baseUrl: redirectingUrl, token: "token", maxRetries: 0 });
    const error = await failureOf(elsewhere.rooms.list());
    expect(error?.name === "ConnectionError", `${error}`);
  },
};

/**
 * The result of each step: `yes`, or the error. "no" is an error of the library, which says what the runtime lacks.
 * "BROKEN" is any other error, which is a bug.
 */
export async function program({ baseUrl, token, redirectingUrl, meetingId }) {
  const notetaker = new Notetaker({ baseUrl, token });
  const results = {};
  for (const [name, step] of Object.entries(STEPS)) {
    try {
      await step({ notetaker, redirectingUrl, meetingId });
      results[name] = "yes";
    } catch (error) {
      const kind = error instanceof NotetakerError ? "no" : "BROKEN";
      results[name] = `${kind}: ${error?.name}: ${error?.message}`;
    }
  }
  return results;
}
