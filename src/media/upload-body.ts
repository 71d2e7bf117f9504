/** From what a caller uploads to the body of the request: a stream that counts, or the whole where nothing can stream. */
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { MEDIA_TYPES, mediaType, mediaTypeOfName } from "../schemas/media-type.js";
import type { RawBody } from "../transport/operation.js";
import { type ByteReader, type ByteSource, byteSource, bytesOf } from "./upload-source.js";

/** How far an upload has come. */
export interface UploadProgress {
  /** What has been handed to the connection. */
  sentBytes: number;
  /** `undefined` while the length of the source is not known. */
  totalBytes: number | undefined;
}

/** What goes out in one piece. Progress is counted, and the time without progress limited, by it. */
const PIECE = 64 * 1024;

/** The media type to send: from the argument, the source's own type, or its name. */
function contentTypeOf({ type, name }: ByteSource, argument: string | undefined): string | undefined {
  if (argument !== undefined) return mediaType(argument) ?? argument;
  return (type && mediaType(type)) || (name && mediaTypeOfName(name)) || type;
}

/** Browsers set the length of a body themselves; and where they do, a stream is not sent, or over HTTP/2 alone. */
const canStream = () =>
  new Request("https://probe.invalid", { headers: { "content-length": "0" } }).headers.has("content-length");

/** Workers announce the length of a stream only if it is of this class. */
type FixedLength = new (size: number) => ReadableWritablePair<Uint8Array, Uint8Array>;

/** Throws `InvalidArgumentError` for a source that cannot be read, or a media type that the service does not take. */
export function uploadBody(
  operation: string,
  given: unknown,
  contentType: string | undefined,
  onProgress: ((progress: UploadProgress) => void) | undefined,
): RawBody {
  const refuse = (path: string, message: string): never => {
    throw new InvalidArgumentError(operation, [{ path, message }]);
  };
  const source = byteSource(given);
  if (typeof source === "string") return refuse("source", source);
  const type = contentTypeOf(source, contentType);
  if (type === undefined) {
    return refuse("contentType", "expected a media type: the source has none, nor a name that tells it");
  }
  const known = mediaType(type) ?? refuse("contentType", `expected one of ${MEDIA_TYPES.join(", ")}`);

  let current: Attempt | undefined;
  let size = source.size();
  let reported = 0;
  // A second attempt begins again at 0; what the caller sees does not go back.
  const report = (sentBytes: number, totalBytes = size) => {
    if (sentBytes < reported) return;
    reported = sentBytes;
    onProgress?.({ sentBytes, totalBytes });
  };

  return {
    contentType: known,
    repeatable: source.repeatable,
    get size() {
      return size;
    },
    get failure() {
      return current?.failure;
    },
    async open(alive) {
      size = source.size();
      report(0);
      if (canStream()) {
        current = countedStream(source.open(), size, (sent, total) => {
          alive();
          report(sent, total);
        });
        const Fixed = (globalThis as { FixedLengthStream?: FixedLength }).FixedLengthStream;
        const { stream } = current;
        return Fixed && size !== undefined ? stream.pipeThrough(new Fixed(size)) : stream;
      }
      // What has gone out is not seen here: no time limit can be held to it, and progress is the start and the end.
      if (source.whole !== undefined) return source.whole;
      current = countedStream(source.open(), size, () => {});
      const blob = await new Response(current.stream).blob();
      size = blob.size;
      return blob;
    },
    close(error) {
      if (current !== undefined) current.close(error);
      else if (!source.repeatable) source.open().close(error);
      if (error === undefined && size !== undefined) report(size);
    },
  };
}

/** The source as it goes out in one attempt. */
interface Attempt {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** What the source failed with. */
  failure: unknown;
  close(error: unknown): void;
}

/** Reads piece by piece, no faster than `fetch` takes them; fails if the source is not as long as it said. */
function countedStream(
  reader: ByteReader,
  size: number | undefined,
  moved: (sentBytes: number, totalBytes: number | undefined) => void,
): Attempt {
  let sent = 0;
  let rest = new Uint8Array();
  let controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;

  /** The next piece; `undefined` at the end. */
  const next = async () => {
    while (rest.byteLength === 0) {
      const { done, value } = await reader.read();
      if (done) {
        if (sent !== (size ?? sent)) throw new Error(`the source ended after ${sent} of ${size} bytes`);
        return undefined;
      }
      const bytes = bytesOf(value);
      if (bytes === undefined) throw new TypeError(`the source gave a ${typeof value} in the place of bytes`);
      rest = bytes;
    }
    const piece = rest.subarray(0, PIECE);
    rest = rest.subarray(PIECE);
    sent += piece.byteLength;
    if (sent > (size ?? sent)) throw new Error(`the source has more than its ${size} bytes`);
    return piece;
  };

  const attempt: Attempt = {
    failure: undefined,
    stream: new ReadableStream(
      {
        start(own) {
          controller = own;
        },
        async pull() {
          try {
            const piece = await next();
            if (piece === undefined) controller.close();
            else controller.enqueue(piece);
            moved(sent, piece === undefined ? sent : size);
          } catch (error) {
            attempt.failure = error;
            reader.close(error);
            throw error;
          }
        },
        cancel: reader.close,
      },
      { highWaterMark: 0 },
    ),
    close(error) {
      reader.close(error);
      // An abort does not reach every `fetch`; that its body fails does.
      controller.error(error);
    },
  };
  return attempt;
}
