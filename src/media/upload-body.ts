/** From what a caller uploads to the body of the request: a stream that counts, or the whole where nothing can stream. */
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { MEDIA_TYPES, type MediaType, mediaType, mediaTypeOfName } from "../schemas/media-type.js";
import type { RawBody } from "../transport/operation.js";
import { type ByteSource, byteSource, bytesOf } from "./upload-source.js";

/** How far an upload has come. */
export interface UploadProgress {
  /** What has been handed to the connection. */
  sentBytes: number;
  /** `undefined` while the length of the source is not known. */
  totalBytes: number | undefined;
}

/** What goes out at once: progress is counted, and the time without progress limited, by it. */
const PIECE = 64 * 1024;

/** The media type to send: from the argument, the source's own type, or its name. */
function contentTypeOf({ type, name }: ByteSource, argument: string | undefined): MediaType | undefined {
  if (argument !== undefined) return mediaType(String(argument));
  return mediaType(type ?? "") ?? mediaTypeOfName(name ?? "");
}

/** Browsers set the length of a body themselves; and where they do, a stream is not sent, or over HTTP/2 alone. */
const canStream = () =>
  new Request("https://probe.invalid", { headers: { "content-length": "0" } }).headers.has("content-length");

/** In workers, the length of a stream is announced only if it is of this class. */
type FixedLength = new (size: number) => ReadableWritablePair<Uint8Array, Uint8Array>;

/** Throws `InvalidArgumentError` for a source that cannot be read, or a media type that the service does not take. */
export function uploadBody(
  operation: string,
  given: unknown,
  argument: string | undefined,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): RawBody {
  const refuse = (path: string, message: string): never => {
    throw new InvalidArgumentError(operation, [{ path, message }]);
  };
  const source = byteSource(given);
  if (typeof source === "string") return refuse("source", source);
  const contentType = contentTypeOf(source, argument);
  if (contentType === undefined) {
    const type = argument ?? source.type ?? source.name ?? "a source that tells none";
    return refuse("contentType", `expected one of ${MEDIA_TYPES.join(", ")}, received ${type}`);
  }

  let size = source.size();
  if (!Number.isSafeInteger(size ?? 0)) refuse("source", `expected its size in bytes, received ${size}`);
  let failure: unknown;
  /** Ends the reading that is under way, or that never began. */
  let end = source.repeatable ? undefined : source.open().close;
  let reported = -1;
  // A second attempt begins again at 0; what the caller sees does not go back.
  const report = (sentBytes: number, totalBytes = size) => {
    if (sentBytes < reported) return;
    reported = sentBytes;
    onProgress?.({ sentBytes, totalBytes });
  };

  /** The source, piece by piece, no faster than it is taken; fails if it is not as long as it said. */
  const stream = (moved: (sentBytes: number) => void): ReadableStream<Uint8Array<ArrayBuffer>> => {
    const reader = source.open();
    let sent = 0;
    let rest = new Uint8Array();
    let stop: (error: unknown) => void;

    const next = async () => {
      while (rest.byteLength === 0) {
        const { done, value } = await reader.read();
        if (done) break;
        const bytes = bytesOf(value);
        if (bytes === undefined) throw new TypeError(`the source gave a ${typeof value}, expected bytes`);
        rest = bytes;
      }
      const piece = rest.subarray(0, PIECE);
      rest = rest.subarray(PIECE);
      sent += piece.byteLength;
      if (piece.byteLength === 0 ? sent < size! : sent > size!) throw new Error(`it came to ${sent} of ${size} bytes`);
      return piece;
    };
    return new ReadableStream(
      {
        start(controller) {
          // An abort does not reach every `fetch`; that its body fails does.
          end = stop = (error) => {
            controller.error(error);
            reader.close(error);
          };
        },
        async pull(controller) {
          try {
            const piece = await next();
            if (piece.byteLength === 0) controller.close();
            else controller.enqueue(piece);
            moved(sent);
          } catch (error) {
            if (end === stop) failure ??= error;
            stop(error);
          }
        },
        cancel: reader.close,
      },
      { highWaterMark: 0 },
    );
  };

  return {
    contentType,
    repeatable: source.repeatable,
    get size() {
      return size;
    },
    get failure() {
      return failure;
    },
    async open(alive) {
      size = source.size();
      failure = undefined;
      report(0);
      if (canStream()) {
        // The time without progress begins here: a connection may never take the first byte.
        alive();
        const body = stream((sent) => {
          alive();
          report(sent);
        });
        const Fixed = (globalThis as { FixedLengthStream?: FixedLength }).FixedLengthStream;
        return Fixed && size !== undefined ? body.pipeThrough(new Fixed(size)) : body;
      }
      // What has gone out is not seen here: no time limit can be held to it, and progress is the start and the end.
      if (source.whole !== undefined) return source.whole;
      const blob = await new Response(stream(() => {})).blob();
      size = blob.size;
      return blob;
    },
    close(error) {
      end?.(error);
      if (error === undefined) report(size ?? reported, size ?? reported);
    },
  };
}
