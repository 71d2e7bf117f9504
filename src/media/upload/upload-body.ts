/** From what a caller uploads to the body of the request: a stream that counts, or the whole where nothing can stream. */
import { InvalidArgumentError } from "../../errors/invalid-argument-error.js";
import { MEDIA_TYPES, type MediaType, mediaType, mediaTypeOfName } from "../../schemas/media-type.js";
import type { StreamAttempt, StreamBody } from "../../transport/operation.js";
import { pullStream } from "../bytes/pull-stream.js";
import { CHUNK_BYTES, releaseMemory } from "../bytes/release-memory.js";
import { type ByteReader, type ByteSource, byteSource, bytesOf } from "./byte-source.js";

/** How far an upload has come. */
export interface UploadProgress {
  /** What has been handed to the connection. */
  sentBytes: number;
  /** `undefined` while the length of the source is not known. */
  totalBytes: number | undefined;
}

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
): StreamBody {
  const refuse = (path: string, message: string): never => {
    throw new InvalidArgumentError(operation, [{ path, message }]);
  };
  const source = byteSource(given);
  if (typeof source === "string") return refuse("source", source);
  const contentType = contentTypeOf(source, argument);
  if (contentType === undefined) {
    const told = argument ?? source.type ?? source.name ?? "none";
    return refuse("contentType", `expected one of ${MEDIA_TYPES.join(", ")}, received ${told}`);
  }

  let size = source.size();
  if (!Number.isSafeInteger(size ?? 0)) refuse("source", `expected its size in bytes, received ${size}`);
  /** Ends the reading that is under way, or that never began. */
  let end = source.repeatable ? undefined : source.open().close;
  let reported = -1;
  // A second attempt begins again at 0; what the caller sees does not go back.
  const report = (sentBytes: number, totalBytes = size) => {
    if (sentBytes < reported) return;
    reported = sentBytes;
    onProgress?.({ sentBytes, totalBytes });
  };

  /** The source as it goes out, in pieces; fails if it is not as long as it said. */
  async function* pieces(reader: ByteReader, moved: (sentBytes: number) => void, attempt: StreamAttempt) {
    /** What the callback throws is the caller's own, and passes unchanged. */
    const advance = (sentBytes: number) => {
      try {
        moved(sentBytes);
      } catch (error) {
        attempt.fail(error);
        throw error;
      }
    };
    try {
      for (let sent = 0; ; ) {
        const { done, value } = await reader.read();
        const bytes = done ? new Uint8Array() : bytesOf(value);
        if (bytes === undefined) throw new TypeError(`expected bytes, received a ${typeof value}`);
        const reached = sent + bytes.byteLength;
        if (done ? reached < size! : reached > size!) throw new Error(`the source came to ${reached} of ${size} bytes`);
        for (; sent < reached; advance(sent)) {
          const piece = bytes.subarray(sent - reached).subarray(0, CHUNK_BYTES);
          yield piece;
          sent += piece.byteLength;
          releaseMemory(piece.byteLength);
        }
        if (done) return advance(sent);
      }
    } catch (error) {
      attempt.fail(attempt.connectionError(error));
      reader.close(error);
      throw error;
    }
  }

  const open = (moved: (sentBytes: number) => void, attempt: StreamAttempt) => {
    const reader = source.open();
    const { stream, fail } = pullStream(
      pieces(reader, (sentBytes) => moved(sentBytes), attempt),
      reader.close,
    );
    end = (error) => {
      // What the source still does is no sign of life any more.
      moved = () => {};
      // An abort does not reach every `fetch`; that its body fails does.
      fail(error);
      reader.close(error);
    };
    return stream;
  };

  return {
    contentType,
    repeatable: source.repeatable,
    get size() {
      return size;
    },
    async open(attempt) {
      size = source.size();
      report(0);
      if (canStream()) {
        // The time without progress begins here: a connection may never take the first byte.
        attempt.onProgress();
        const body = open((sent) => {
          attempt.onProgress();
          report(sent);
        }, attempt);
        const Fixed = (globalThis as { FixedLengthStream?: FixedLength }).FixedLengthStream;
        return Fixed && size !== undefined ? body.pipeThrough(new Fixed(size)) : body;
      }
      // What has gone out is not seen here: no time limit can be held to it, and progress is the start and the end.
      if (source.whole !== undefined) return source.whole;
      const blob = await new Response(open(() => {}, attempt)).blob();
      size = blob.size;
      return blob;
    },
    close(error) {
      end?.(error);
      if (error === undefined) report(size ?? reported, size ?? reported);
    },
  };
}
