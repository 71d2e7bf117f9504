/** From what a caller uploads to the body of the request. */
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { MEDIA_TYPES, type MediaType, mediaType, mediaTypeOfName } from "../schemas/media-type.js";
import type { RawBody } from "../transport/operation.js";

/** The bytes of an audio or video file. */
export type UploadSource = Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer>;

const stringField = (source: unknown, name: "type" | "name") => {
  const value = (source as Record<string, unknown>)[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** The media type to send: from the argument, the source's own type, or its name. */
function contentTypeOf(source: unknown, argument: string | undefined): MediaType | string | undefined {
  if (argument !== undefined) return mediaType(argument) ?? argument;
  const type = stringField(source, "type");
  const name = stringField(source, "name");
  return (type && mediaType(type)) || (name && mediaTypeOfName(name)) || type;
}

/** Throws `InvalidArgumentError` for a source that cannot be read, or a media type that the service does not take. */
export function uploadBody(operation: string, source: unknown, contentType: string | undefined): RawBody {
  const refuse = (path: string, message: string): never => {
    throw new InvalidArgumentError(operation, [{ path, message }]);
  };
  const readable = source instanceof Blob || source instanceof ArrayBuffer || ArrayBuffer.isView(source);
  if (!readable) return refuse("source", "expected a Blob, a File, an ArrayBuffer or a typed array");
  const type = contentTypeOf(source, contentType);
  if (type === undefined) {
    return refuse("contentType", "expected a media type: the source has none, nor a name that tells it");
  }
  if (mediaType(type) === undefined) return refuse("contentType", `expected one of ${MEDIA_TYPES.join(", ")}`);
  return { contentType: type, repeatable: true, open: () => source as BodyInit };
}
