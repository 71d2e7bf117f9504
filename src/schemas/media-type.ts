/** The media types of uploads: see "PUT /meetings/upload" in the API specification. Without zod. */
import { EXTENSIONS } from "./file-extension.js";

/** The media types that the service accepts for an upload. */
export const MEDIA_TYPES = [
  "audio/mpeg",
  "audio/mp4",
  "audio/wav",
  "audio/webm",
  "audio/ogg",
  "audio/aac",
  "audio/flac",
  "video/mp4",
  "video/webm",
  "video/ogg",
  "video/quicktime",
] as const;
/** One of {@link MEDIA_TYPES}. */
export type MediaType = (typeof MEDIA_TYPES)[number];

/** Names that browsers and operating systems use for the same formats, without the prefix `x-` or `vnd.`. */
const ALIASES: Readonly<Record<string, MediaType>> = {
  "audio/mp3": "audio/mpeg",
  "audio/mpeg3": "audio/mpeg",
  "audio/m4a": "audio/mp4",
  "audio/mp4a-latm": "audio/mp4",
  "audio/wave": "audio/wav",
  "audio/opus": "audio/ogg",
  "audio/aacp": "audio/aac",
  "video/m4v": "video/mp4",
  "application/mp4": "video/mp4",
  "application/ogg": "audio/ogg",
};

/**
 * `MediaRecorder` uses these names for WebM with a codec that WebM does not define. It then always states the codec.
 */
const RECORDER_ALIASES: Readonly<Record<string, MediaType>> = {
  "audio/matroska": "audio/webm",
  "video/matroska": "video/webm",
};

/** Media types that do not tell the format. */
const GENERIC_TYPES: ReadonlySet<string> = /* @__PURE__ */ new Set(["application/octet-stream", "binary/octet-stream"]);

/** The media type in lower case, without parameters such as `; codecs=opus`. */
export const mediaTypeEssence = (value: string): string => (value.split(";", 1)[0] ?? "").trim().toLowerCase();

/** Whether a media type does not tell the format, so that the source's own type or name is used instead. */
export const isGenericMediaType = (value: string): boolean => GENERIC_TYPES.has(mediaTypeEssence(value));

/**
 * The service's name for a media type or an alias, without parameters such as `; codecs=opus`. `undefined` if the
 * service does not accept the type.
 */
export function mediaType(value: string): MediaType | undefined {
  const essence = mediaTypeEssence(value).replace(/\/(x-|vnd\.)/, "/");
  if ((MEDIA_TYPES as readonly string[]).includes(essence)) return essence as MediaType;
  if (Object.hasOwn(ALIASES, essence)) return ALIASES[essence];
  const isRecorded = /;\s*codecs\s*=/i.test(value) && Object.hasOwn(RECORDER_ALIASES, essence);
  return isRecorded ? RECORDER_ALIASES[essence] : undefined;
}

export const extensionOfMediaType = (value: string): string | undefined =>
  Object.entries(EXTENSIONS).find(([, type]) => type === mediaType(value))?.[0];
