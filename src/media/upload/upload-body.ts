/** The file of an upload: its media type, its size, and the source that each attempt opens anew. */
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import type { MediaType } from "../../schemas/upload.js";
import type { Logger } from "../../transport/logger.js";
import type { BodyAttempt, BodyLimits, StreamBody } from "../../transport/operation.js";
import { type ByteSource, byteSource } from "./byte-source.js";
import { resolveContentType } from "./content-type.js";
import { ProgressReporter } from "./progress-reporter.js";
import { sourceError } from "./source-error.js";
import { UploadAttempt } from "./upload-attempt.js";
import type { UploadInput, UploadOptions } from "./upload-options.js";

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
  readonly progress: ProgressReporter;
  readonly #statedSize: number | undefined;
  #hasBegun = false;

  /** Throws `InvalidArgumentError` for an unreadable source, an unsupported media type or a wrong size. */
  constructor(operation: string, source: unknown, { contentType, size, onProgress, logger }: UploadBodyOptions) {
    this.operation = operation;
    this.#statedSize = size;
    this.progress = new ProgressReporter(onProgress, logger);
    try {
      this.source = byteSource(operation, source);
      this.contentType = resolveContentType(operation, this.source, contentType);
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
    const statedSize = this.#statedSize;
    const refuse = (path: string, message: string) => new InvalidArgumentError(this.operation, [{ path, message }]);
    if (!isSize(ownSize)) throw refuse("source", `expected its size in bytes, received ${ownSize}`);
    if (!isSize(statedSize)) throw refuse("size", `expected the number of bytes, received ${statedSize}`);
    if (ownSize !== undefined && statedSize !== undefined && ownSize !== statedSize) {
      throw refuse("size", `expected ${ownSize}, the size of the source, received ${statedSize}`);
    }
    return ownSize ?? statedSize;
  }
}

const isSize = (size: unknown) => size === undefined || (Number.isSafeInteger(size) && Number(size) >= 0);
