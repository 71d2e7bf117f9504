import { accessSync, constants, createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { pullStream } from "../../media/bytes.js";
import type { StreamSource } from "../../media/upload/upload-source.js";
import { filePath, refusedPath } from "./paths.js";

/** A file that is opened again for each attempt. */
export interface FileSource extends StreamSource {
  /** The last part of the path. Its extension determines the media type. */
  readonly name: string;
  /** In bytes, read at each access. Throws `InvalidArgumentError` if there is no such file, or a folder. */
  readonly size: number;
}

const BLOCK_BYTES = 256 * 1024;

/**
 * The file at `path` as the source of an upload. The file is not opened before the upload begins. Each attempt reads
 * the file from its start, in blocks, so that a large file needs little memory. The upload rejects with
 * `InvalidArgumentError`, and sends nothing, if the file does not exist, is a folder or is not readable. `~` is not
 * expanded.
 * @throws {InvalidArgumentError} if `path` is neither a path nor a `file:` URL
 * @example
 * await notetaker.meetings.upload(fromPath("recording.mp4"), { title: "Weekly" });
 */
export function fromPath(path: string | URL): FileSource {
  const file = filePath("fromPath", path);
  return {
    name: basename(file),
    get type() {
      // An upload reads the type first. A folder, or a file that does not exist, is refused as such, and not because of
      // its unknown type.
      fileSize(file);
      return undefined;
    },
    get size() {
      return fileSize(file);
    },
    stream() {
      const blocks = blocksOf(file);
      return pullStream(blocks, () => blocks.return()).stream;
    },
  };
}

function fileSize(file: string): number {
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(file);
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw refusedPath("fromPath", file, error);
  }
  if (!stats.isFile()) throw refusedPath("fromPath", file, stats.isDirectory() ? "is a folder" : "is not a file");
  return stats.size;
}

/** The file is opened when the first block is requested. One block is read ahead. */
async function* blocksOf(file: string): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const blocks = createReadStream(file, { highWaterMark: BLOCK_BYTES });
  // An error that comes after the last read has no other listener.
  blocks.on("error", () => {});
  yield* blocks;
}
