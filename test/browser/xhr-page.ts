/** This program runs in the page: uploads through `xhrFetch`. The path of each URL tells the server how to behave. */
import { Notetaker, type NotetakerError, type UploadProgress } from "notetaker-sdk";
import { xhrFetch } from "notetaker-sdk/browser";

let xhrs = 0;
const { send } = XMLHttpRequest.prototype;
XMLHttpRequest.prototype.send = function (...args) {
  xhrs += 1;
  return send.apply(this, args);
};

const clientOf = (behaviour: string, options = {}) =>
  new Notetaker({ baseUrl: `${location.origin}/${behaviour}/v1`, token: "tok_page", fetch: xhrFetch(), ...options });
const failure = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    (value) => ({ name: "none", value }),
    ({ name, outcome, attempts, message }: NotetakerError) => ({ name, outcome, attempts, message }),
  );

const file = new Blob([new Uint8Array(24 * 1024 * 1024)], { type: "audio/wav" });

async function uploadWithProgress(behaviour: string, source: Blob | ReadableStream<Uint8Array> = file) {
  const progress: UploadProgress[] = [];
  const notetaker = clientOf(behaviour);
  const result = await notetaker.meetings.upload(
    source,
    { contentType: "audio/wav" },
    { onProgress: (one) => progress.push(one) },
  );
  const sent = progress.map(({ sentBytes }) => sentBytes);
  return {
    result,
    isSorted: sent.every((bytes, index) => index === 0 || bytes >= (sent[index - 1] ?? 0)),
    between: new Set(sent.filter((bytes) => bytes > 0 && bytes < file.size)).size,
    first: progress[0],
    last: progress.at(-1),
  };
}

async function run() {
  const seen: Record<string, unknown> = {};
  seen.slow = await uploadWithProgress("slow");
  seen.stream = await uploadWithProgress("plain", file.stream());
  seen.again = await uploadWithProgress("busy-once");

  const small = new Blob(["RIFF"], { type: "audio/wav" });
  seen.refused = await failure(clientOf("refuse").meetings.upload(small));
  seen.lost = await failure(clientOf("drop").meetings.upload(file));
  seen.redirected = await failure(clientOf("redirect").meetings.upload(small));
  seen.stalled = await failure(clientOf("stall", { timeoutMs: 400 }).meetings.upload(file));

  const reason = new Error("the user left");
  const controller = new AbortController();
  const onProgress = ({ sentBytes }: UploadProgress) => {
    if (sentBytes > 0) controller.abort(reason);
  };
  const aborted = clientOf("slow").meetings.upload(file, {}, { signal: controller.signal, onProgress });
  seen.aborted = await aborted.then(
    () => "none",
    (error: unknown) => error === reason,
  );
  const thrown = new RangeError("no more paper");
  const throwing = clientOf("slow").meetings.upload(
    file,
    {},
    {
      onProgress: ({ sentBytes }) => {
        if (sentBytes > 0) throw thrown;
      },
    },
  );
  seen.thrown = await throwing.then(
    () => "none",
    (error: unknown) => error === thrown,
  );

  const middleware = [
    (request: Request, next: (request: Request) => Promise<Response>) => {
      const headers = new Headers(request.headers);
      headers.set("x-traced", "yes");
      return next(new Request(request, { headers }));
    },
  ];
  seen.throughMiddleware = await clientOf("plain", { middleware }).meetings.upload(small);

  const before = xhrs;
  seen.rooms = await failure(clientOf("plain").rooms.list());
  seen.xhrsOfReading = xhrs - before;
  const { response } = await clientOf("plain").meetings.upload(small).withResponse();
  seen.response = { status: response.status, type: response.headers.get("content-type") };
  return seen;
}

(globalThis as { done?: Promise<unknown> }).done = run();
