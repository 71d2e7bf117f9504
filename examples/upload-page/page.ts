/** Uploads the chosen file, shows the progress, then shows the transcript. */
import { Notetaker } from "notetaker-sdk";
import { xhrFetch } from "notetaker-sdk/browser";
import { toText } from "notetaker-sdk/transcript";

// The page must not hold the service's token, so the server adds it.
const notetaker = new Notetaker({ baseUrl: `${location.origin}/v1`, token: "session", fetch: xhrFetch() });

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

function show(state: "ready" | "busy" | "done" | "failed", text: string) {
  status.dataset.state = state;
  status.textContent = text;
  const isBusy = state === "busy";
  start.disabled = isBusy;
  cancel.disabled = !isBusy;
}

function showProgress(sentBytes: number, totalBytes: number | undefined) {
  const share = totalBytes ? sentBytes / totalBytes : 0;
  progress.value = share;
  percent.textContent = `${Math.floor(share * 100)} %`;
}

async function upload(recording: File, signal: AbortSignal) {
  transcript.hidden = true;
  showProgress(0, recording.size);
  show("busy", `Uploading ${recording.name}`);
  const { id } = await notetaker.meetings.upload(
    recording,
    { title: title.value || recording.name },
    { signal, onProgress: ({ sentBytes, totalBytes }) => showProgress(sentBytes, totalBytes) },
  );
  show("busy", "Uploaded. Waiting for the transcript");
  transcript.textContent = toText(await notetaker.meetings.waitForTranscript(id, { pollMs: 500, signal }));
  transcript.hidden = false;
  show("done", "The transcript is ready");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const recording = file.files?.[0];
  if (!recording || running) return;
  running = new AbortController();
  try {
    await upload(recording, running.signal);
  } catch (error) {
    const isCancelled = running.signal.aborted;
    show(isCancelled ? "ready" : "failed", isCancelled ? "Cancelled" : String(error));
  } finally {
    running = undefined;
    start.focus();
  }
});

cancel.addEventListener("click", () => running?.abort());
