import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { isGenericMediaType, MEDIA_TYPES, type MediaType, mediaType, mediaTypeOfName } from "../../schemas/upload.js";
import type { ByteSource } from "./byte-source.js";

/** The media type to send: from the argument, else from the source's own type, else from its name. */
export function resolveContentType(operation: string, source: ByteSource, argument: string | undefined): MediaType {
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
