/** Makes one attempt of a download: requests a fresh link, and delivers the missing bytes from it. */
import type { ConnectionError } from "../../errors/call-errors.js";
import { checkLink } from "./check-link.js";
import { parseContentRange } from "./content-range.js";
import type { DownloadContext, DownloadState } from "./download-state.js";
import { isSameVersion, recordingVersion } from "./recording-version.js";
import { StorageRequest } from "./storage-request.js";

type Chunk = Uint8Array<ArrayBuffer>;

/** How a successful attempt ended. */
export type RangeEnd =
  | { readonly kind: "complete" }
  /** The announced part has arrived, but more of the file is missing. */
  | { readonly kind: "partial" }
  /** The file has changed since the download began. */
  | { readonly kind: "changed"; readonly error: ConnectionError };

/** Which bytes of the file a body contains. */
interface BodyRange {
  readonly kind: "bytes";
  /** How many bytes at the start of the body were received before, and are skipped. */
  readonly skip: number;
  /** The position in the file at which the body ends (exclusive); `undefined` if the storage does not state it. */
  readonly end: number | undefined;
  /** Whether the body is the whole file. */
  readonly isWhole: boolean;
}

/** Delivers as many of the missing bytes as one connection returns. */
export async function* downloadRange(context: DownloadContext, state: DownloadState): AsyncGenerator<Chunk, RangeEnd> {
  const link = checkLink(context.meetingId, await context.getLink(), context.transport.config.baseUrl);
  state.attempts += 1;
  state.origin = new URL(link).origin;
  const request = new StorageRequest(context, link);
  try {
    const response = await request.send(state.receivedBytes);
    const range = readHeaders(request, response, state);
    return range.kind === "bytes" ? yield* readChunks(request, range, state) : range;
  } finally {
    request.close();
  }
}

/**
 * Reads from the headers which bytes the body contains. Throws for an unusable response; the next attempt has a fresh
 * link.
 */
function readHeaders(request: StorageRequest, response: Response, state: DownloadState): BodyRange | RangeEnd {
  const { status, headers } = response;
  const { receivedBytes, version: begun } = state;
  if (status === 416) return readUnsatisfied(request, response, state);
  if (status !== 200 && status !== 206) throw request.error(`the storage answered ${status}`);

  const version = recordingVersion(response);
  if (receivedBytes > 0 && begun !== undefined && !isSameVersion(begun, version)) return changed(request);
  // A later response may state the size if the first one did not.
  if (receivedBytes === 0 || begun?.size === undefined) state.version = version;
  if (status === 200) return { kind: "bytes", skip: receivedBytes, end: version.size, isWhole: true };

  const range = parseContentRange(headers);
  if (range?.kind !== "part" || range.start !== receivedBytes) {
    throw request.error("the storage returned another byte range than requested");
  }
  return { kind: "bytes", skip: 0, end: range.end, isWhole: false };
}

/**
 * Status 416: the file has no bytes after those received. If its size equals the number of received bytes, the download
 * is complete.
 */
function readUnsatisfied(request: StorageRequest, response: Response, state: DownloadState): RangeEnd {
  const range = parseContentRange(response.headers);
  const { receivedBytes, version: begun } = state;
  if (range?.kind !== "none" || receivedBytes === 0 || begun === undefined) {
    throw request.error("the storage answered 416");
  }
  const { validator = begun.validator } = recordingVersion(response);
  const isSame = isSameVersion(
    { ...begun, size: begun.size ?? receivedBytes },
    { ...begun, validator, size: range.size },
  );
  return isSame && range.size === receivedBytes ? { kind: "complete" } : changed(request);
}

const changed = (request: StorageRequest): RangeEnd => ({
  kind: "changed",
  error: request.error("the file changed during the download"),
});

/** Delivers the new bytes of the body, and never more than the headers state. */
async function* readChunks(
  request: StorageRequest,
  range: BodyRange,
  state: DownloadState,
): AsyncGenerator<Chunk, RangeEnd> {
  const { end, isWhole } = range;
  let skipBytes = range.skip;
  for (;;) {
    const bytes = await request.read();
    if (bytes === undefined) break;
    const newBytes = bytes.subarray(skipBytes);
    skipBytes -= bytes.byteLength - newBytes.byteLength;
    const remainingBytes = end === undefined ? newBytes.byteLength : end - state.receivedBytes;
    const isTooLong = newBytes.byteLength > remainingBytes;
    if (isTooLong && isWhole) throw request.error(`the storage returned more than the ${end} bytes that it announced`);

    const chunk = newBytes.subarray(0, remainingBytes);
    if (chunk.byteLength > 0) {
      state.receivedBytes += chunk.byteLength;
      state.failures = 0;
      yield chunk;
    }
    if (isTooLong) break;
  }
  return rangeEnd(request, range, state, skipBytes);
}

/**
 * Decides how an attempt ended, at the end of its body. A body from the start of the file repeats bytes that were
 * received before; `missingBytes` of these were missing.
 */
function rangeEnd(
  request: StorageRequest,
  { end, isWhole }: BodyRange,
  { receivedBytes, version }: DownloadState,
  missingBytes: number,
): RangeEnd {
  if (missingBytes > 0 || (end !== undefined && receivedBytes < end)) {
    const total = version?.size ?? end;
    const ofTotal = total === undefined ? "" : ` of ${total}`;
    throw request.error(`the storage returned ${receivedBytes - missingBytes}${ofTotal} bytes`);
  }
  const isEnd = version?.size === undefined ? isWhole : receivedBytes === version.size;
  return { kind: isEnd ? "complete" : "partial" };
}
