/** The file of an upload: its media type, its size, and the source that each attempt opens anew. */
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { isGenericMediaType, MEDIA_TYPES, type MediaType, mediaType, mediaTypeOfName } from "../../schemas/upload.js";
import type { Logger } from "../../transport/logger.js";
import { notify } from "../../transport/logger.js";
import type { BodyAttempt, BodyLimits, StreamBody } from "../../transport/operation.js";
import { UploadAttempt } from "./upload-attempt.js";
import type { UploadInput, UploadOptions } from "./upload-options.js";
import { type ByteSource, byteSource, sourceError } from "./upload-source.js";

/** The arguments of a call that its upload needs. */
export interface UploadBodyOptions
  extends Pick<UploadInput, "contentType" | "size">,
    Pick<UploadOptions, "onProgress"> {
  readonly logger?: Logger | undefined;
}

export class UploadBody implements StreamBody {
  readonly operation: string;
  readonly contentType: MediaType;
  readonly source: ByteSource;
  readonly #options: UploadBodyOptions;
  #reportedBytes = -1;
  #hasBegun = false;

  /** Throws `InvalidArgumentError` for an unreadable source, an unsupported media type or a wrong size. */
  constructor(operation: string, source: unknown, options: UploadBodyOptions) {
    this.operation = operation;
    this.#options = options;
    try {
      this.source = byteSource(operation, source);
      this.contentType = resolveContentType(operation, this.source, options.contentType);
      this.checkedSize();
      // The reader listens for the errors of a Node stream, which may fail before it is read.
      if (!this.source.repeatable) this.source.open();
    } catch (error) {
      throw sourceError(operation, error, "not_sent");
    }
  }

  get repeatable(): boolean {
    return this.source.repeatable;
  }

  begin(limits: BodyLimits): BodyAttempt {
    this.#hasBegun = true;
    return new UploadAttempt(this, limits);
  }

  release(reason: unknown): void {
    if (!this.repeatable && !this.#hasBegun) this.source.open().close(reason);
  }

  checkedSize(): number | undefined {
    const ownSize = this.source.size();
    const statedSize = this.#options.size;
    const refuse = (path: string, message: string) => new InvalidArgumentError(this.operation, [{ path, message }]);
    if (!isSize(ownSize)) throw refuse("source", `expected its size in bytes, received ${ownSize}`);
    if (!isSize(statedSize)) throw refuse("size", `expected the number of bytes, received ${statedSize}`);
    if (ownSize !== undefined && statedSize !== undefined && ownSize !== statedSize) {
      throw refuse("size", `expected ${ownSize}, the size of the source, received ${statedSize}`);
    }
    return ownSize ?? statedSize;
  }

  /** The progress never decreases: a second attempt reports nothing until it has sent as much as the first. */
  report(sentBytes: number, totalBytes: number | undefined): void {
    if (sentBytes < this.#reportedBytes) return;
    this.#reportedBytes = sentBytes;
    const { onProgress, logger } = this.#options;
    notify("onProgress", onProgress, { sentBytes, totalBytes }, logger);
  }

  /** Reports that all bytes are sent. Only then is the size of a stream known. */
  reportAll(size = this.#reportedBytes): void {
    this.report(size, size);
  }
}

const isSize = (size: unknown) => size === undefined || (Number.isSafeInteger(size) && Number(size) >= 0);

/** The media type to send: from the argument, else from the source's own type, else from its name. */
function resolveContentType(operation: string, source: ByteSource, argument: string | undefined): MediaType {
  const contentType = argument === undefined ? ownType(source) : argumentType(source, String(argument));
  if (contentType !== undefined) return contentType;
  const received = argument ?? source.type ?? source.name ?? "none";
  const message = `expected one of ${MEDIA_TYPES.join(", ")}, received ${received}`;
  throw new InvalidArgumentError(operation, [{ path: "contentType", message }]);
}

const ownType = ({ type, name }: ByteSource) => mediaType(type ?? "") ?? mediaTypeOfName(name ?? "");

/**
 * File dialogs and storages often state `application/octet-stream`, which does not tell the format. The type or the
 * name of the source may tell it.
 */
const argumentType = (source: ByteSource, argument: string) =>
  isGenericMediaType(argument) ? ownType(source) : mediaType(argument);
