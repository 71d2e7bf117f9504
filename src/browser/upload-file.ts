import { followSignal, throwIfAborted } from "../async/abort.js";
import { errorOfRecord } from "../errors/error-of-record.js";
import { MEDIA_TYPE_OF_EXTENSION, mediaTypeOfName } from "../schemas/media-type-of-file.js";
import { UPLOAD_PROGRESS, type UploadProgressInit } from "../upload-progress.js";
import { readAnswer } from "./read-answer.js";
import { sendXhr } from "./send-xhr.js";

/** The argument of {@link UploadFileOptions.onProgress}. */
export interface UploadFileProgress {
  /** The bytes that were sent. */
  loaded: number;
  /** The bytes of the file. */
  total: number;
}

/** Options of `uploadFile`. */
export interface UploadFileOptions {
  /** Called whenever the browser reports progress. What it throws ends the upload and rejects it. */
  onProgress?: ((progress: UploadFileProgress) => void) | undefined;
  /** Ends the upload at once: it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Sent with the upload. A `Content-Type` replaces that of the file. */
  headers?: Headers | [name: string, value: string][] | Record<string, string> | undefined;
  /** `"include"` sends cookies to another origin, too, which its server has to allow. Default `"same-origin"`. */
  credentials?: "same-origin" | "include" | undefined;
  /** Default `PUT`. */
  method?: string | undefined;
}

/**
 * Uploads `file`, as the whole body of one request, to your server, which passes it on to the service. The
 * `Content-Type` is the file's media type, or that of its name. Resolves to the response's JSON, `undefined` if the
 * response is empty. It is never sent twice.
 *
 * Rejects with the error that `errorResponse` described on the server, with `outcome` and `issues`; any other refusal
 * has the class of its status, and a lost connection is a `ConnectionError` with the outcome `unknown`. Without
 * `XMLHttpRequest`, it reports no progress. Guide: docs/uploads-and-recordings.md#in-the-browser.
 * @example
 * const bar = document.querySelector("progress");
 * await uploadFile("/api/recordings", file, { onProgress: ({ loaded, total }) => (bar.value = loaded / total) });
 */
export async function uploadFile<Result = unknown>(
  url: string | URL,
  file: Blob,
  { onProgress, signal, headers, credentials = "same-origin", method = "PUT" }: UploadFileOptions = {},
): Promise<Result> {
  const target = new URL(url, globalThis.location?.href);
  const what = `${method} ${target.pathname}`;
  const type = typeOf(file);
  const allHeaders = new Headers(headers);
  if (type && !allHeaders.has("content-type")) allHeaders.set("content-type", type);
  throwIfAborted(signal);
  const upload = followSignal(signal);
  const report = (loaded: number) => {
    try {
      onProgress?.({ loaded, total: file.size });
    } catch (error) {
      upload.abort(error);
    }
  };
  const init = { method, headers: allHeaders, credentials, signal: upload.signal, [UPLOAD_PROGRESS]: report };
  const lost = (cause: unknown) =>
    errorOfRecord({ name: "ConnectionError", message: `${what} got no response`, cause, attempts: 1 });
  const answer = await sendFile(target, init, file).catch(lost);
  upload.release();
  throwIfAborted(upload.signal);
  if (answer instanceof Error) throw answer;
  return readAnswer(what, ...answer) as Result;
}

/** As `meetings.upload`, without the table of aliases, which a page need not load: your server knows it. */
function typeOf(file: Blob & Partial<File>): string {
  const [essence = ""] = file.type.split(";");
  const isExact = (Object.values(MEDIA_TYPE_OF_EXTENSION) as string[]).includes(essence);
  return (isExact ? essence : mediaTypeOfName(file.name ?? "")) ?? file.type;
}

async function sendFile(url: URL, init: RequestInit & UploadProgressInit, body: Blob): Promise<[Response, string]> {
  const hasXhr = typeof XMLHttpRequest !== "undefined";
  const response = await (hasXhr ? sendXhr(url, init, body) : fetch(url, { ...init, body, redirect: "error" }));
  return [response, await response.text()];
}
