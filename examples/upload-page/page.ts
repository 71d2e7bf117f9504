/** Uploads the chosen file, shows the progress, then shows the transcript. */
import {
  InvalidArgumentError,
  isNotetakerError,
  MeetingFailedError,
  Notetaker,
  type NotetakerError,
  RateLimitedError,
  UnauthorizedError,
  WaitTimeoutError,
} from "notetaker-sdk";
import { xhrFetch } from "notetaker-sdk/browser";
import { toText } from "notetaker-sdk/transcript";

// The page must not hold the service's token, so the server adds it.
const notetaker = new Notetaker({
  baseUrl: `${location.origin}/v1`,
  token: "session",
  fetch: xhrFetch(),
  onRetry({ error, delayMs }) {
    show("busy", waitSentence(error, delayMs));
    setTimeout(() => uploading && show("busy", uploading), delayMs);
  },
});

/** How long the page waits for a transcript. The service may take longer for a long recording. */
const WAIT_MS = 10 * 60_000;

const element = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const form = element<HTMLFormElement>("form");
const file = element<HTMLInputElement>("file");
const title = element<HTMLInputElement>("title");
const start = element<HTMLButtonElement>("start");
const cancel = element<HTMLButtonElement>("cancel");
const progress = element<HTMLProgressElement>("progress");
const percent = element<HTMLElement>("percent");
const status = element<HTMLElement>("status");
const transcript = element<HTMLElement>("transcript");

let running: AbortController | undefined;
/** What the page says during an upload. */
let uploading: string | undefined;

function show(state: "ready" | "busy" | "done" | "failed", text: string) {
  status.dataset.state = state;
  // A screen reader reads each change aloud.
  if (status.textContent !== text) status.textContent = text;
  const isBusy = state === "busy";
  start.disabled = isBusy;
  cancel.disabled = !isBusy;
}

function showProgress(sentBytes: number, totalBytes: number | undefined) {
  const share = totalBytes ? sentBytes / totalBytes : 0;
  progress.value = share;
  percent.textContent = `${Math.floor(share * 100)} %`;
}

const seconds = (ms: number) => `${Math.max(1, Math.ceil(ms / 1_000))} s`;

function waitSentence(error: NotetakerError, delayMs: number): string {
  const isAsked = error instanceof RateLimitedError && error.retryAfterMs !== undefined;
  if (isAsked) return `We wait ${seconds(delayMs)} because the service asks for it.`;
  return `The service is not available. We try again in ${seconds(delayMs)}.`;
}

/** Why the recording was not uploaded, and what to do. */
function failureSentence(error: unknown): string {
  if (!isNotetakerError(error)) return `The recording was not uploaded: ${String(error)}`;
  if (error instanceof InvalidArgumentError) return "The service does not accept this file. Choose audio or video.";
  if (error instanceof UnauthorizedError) return "The recording was not uploaded. Log in, then upload it again.";
  if (error instanceof RateLimitedError) {
    const wait = error.retryAfterMs === undefined ? "a minute" : seconds(error.retryAfterMs);
    return `The recording was not uploaded: there are too many uploads. Try again in ${wait}.`;
  }
  if (error.outcome === "unknown") {
    return "The connection failed. The recording may be uploaded: look at your meetings before you upload it again.";
  }
  if (error.outcome === "not_sent") return "The recording was not uploaded: the server cannot be reached. Try again.";
  return `The service refused the recording: ${error.message}`;
}

/** What became of the transcript of a recording that is uploaded. */
function waitFailureSentence(error: unknown): string {
  if (error instanceof MeetingFailedError) return "Uploaded, but the service could not transcribe this recording.";
  const reason = error instanceof WaitTimeoutError ? "is not ready yet" : "could not be read";
  return `Uploaded; the transcript ${reason}. You will find it later in your meetings.`;
}

async function upload(recording: File, signal: AbortSignal): Promise<string> {
  transcript.hidden = true;
  showProgress(0, recording.size);
  uploading = `Uploading ${recording.name}`;
  show("busy", uploading);
  const { id } = await notetaker.meetings.upload(
    recording,
    { title: title.value || recording.name },
    {
      signal,
      onProgress: ({ sentBytes, totalBytes }) => showProgress(sentBytes, totalBytes),
    },
  );
  return id;
}

async function showTranscript(id: string, signal: AbortSignal) {
  const waiting = "Uploaded. We wait for the transcript.";
  show("busy", waiting);
  cancel.textContent = "Stop waiting";
  const found = await notetaker.meetings.waitForTranscript(id, {
    pollMs: 500,
    timeoutMs: WAIT_MS,
    signal,
    onPoll: ({ error, nextPollMs }) => show("busy", error ? `Uploaded. ${waitSentence(error, nextPollMs)}` : waiting),
  });
  transcript.textContent = toText(found);
  transcript.hidden = false;
  show("done", "The transcript is ready.");
}

async function run(recording: File, signal: AbortSignal) {
  let id: string;
  try {
    id = await upload(recording, signal);
  } catch (error) {
    showProgress(0, undefined);
    if (signal.aborted) show("ready", "You cancelled the upload.");
    else show("failed", failureSentence(error));
    return;
  } finally {
    uploading = undefined;
  }
  try {
    await showTranscript(id, signal);
  } catch (error) {
    if (signal.aborted)
      show("ready", "Uploaded; you did not wait for the transcript. You will find it later in your meetings.");
    else show(error instanceof WaitTimeoutError ? "ready" : "failed", waitFailureSentence(error));
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const recording = file.files?.[0];
  if (!recording || running) return;
  running = new AbortController();
  await run(recording, running.signal);
  running = undefined;
  cancel.textContent = "Cancel";
  start.focus();
});

cancel.addEventListener("click", () => running?.abort());
