/** This program runs in the page: `uploadFile` and `subscribe`, with a server of their own. */
import { InvalidRequestError, type NotetakerError } from "notetaker-sdk";
import { type Reconnection, subscribe, uploadFile } from "notetaker-sdk/browser";

const file = new Blob([new Uint8Array(24 * 1024 * 1024)], { type: "audio/wav" });

const failure = (upload: Promise<unknown>) =>
  upload.then(
    () => "none",
    (error: NotetakerError) => ({ isInvalid: error instanceof InvalidRequestError, ...(error.toJSON() as object) }),
  );

async function run() {
  const seen: Record<string, unknown> = {};
  const reports: number[] = [];
  const onProgress = ({ loaded, total }: { loaded: number; total: number }) => reports.push(loaded / total);
  seen.result = await uploadFile("/api/recordings?title=slow", file, { onProgress });
  seen.isSorted = reports.every((part, index) => index === 0 || part >= (reports[index - 1] ?? 0));
  seen.isGradual = reports.filter((part) => part > 0 && part < 1).length > 1;
  seen.last = reports.at(-1);

  seen.refused = await failure(uploadFile("/api/recordings?title=refused", new Blob(["RIFF"], { type: "audio/wav" })));
  seen.lost = await failure(uploadFile("/api/recordings?title=lost", file));

  const reason = new Error("the user left");
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = uploadFile("/api/recordings?title=abort", file, { signal });
  await fetch("/reached");
  controller.abort(reason);
  seen.aborted = await aborted.catch((error: unknown) => error === reason);
  await fetch("/aborted");

  const reconnections: unknown[] = [];
  const onReconnect = ({ error }: Reconnection) => reconnections.push(error && "status" in error ? error.status : 0);
  const heard: unknown[] = [];
  for await (const event of subscribe("/events", { onReconnect })) {
    heard.push(event.meetingId);
    if (heard.length === 2) break;
    await fetch("/lose");
  }
  return { ...seen, heard, reconnections: reconnections.length, first: reconnections[0] };
}

(globalThis as { done?: Promise<unknown> }).done = run();
