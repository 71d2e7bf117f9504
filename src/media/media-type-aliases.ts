/** The media type of an upload, by whatever name its source states it. Without zod. */
import { MEDIA_TYPE_OF_EXTENSION } from "../schemas/file-extension.js";
import { MEDIA_TYPES, type MediaType, mediaTypeEssence } from "../schemas/media-type.js";

/**
 * Names of the same formats in browsers, desktops and lists of media types, without the prefix `x-` or `vnd.`. A test
 * compares them with mime-db and with the list of freedesktop.org.
 */
const ALIASES: Readonly<Record<string, MediaType>> = {
  "audio/mp3": "audio/mpeg",
  "audio/mpeg3": "audio/mpeg",
  "audio/mpeg-3": "audio/mpeg",
  "audio/mpg": "audio/mpeg",
  "audio/m4a": "audio/mp4",
  "audio/m4b": "audio/mp4",
  "audio/mp4a": "audio/mp4",
  "audio/mp4a-latm": "audio/mp4",
  "audio/wave": "audio/wav",
  "audio/flac+ogg": "audio/ogg",
  "audio/oggflac": "audio/ogg",
  "audio/opus": "audio/ogg",
  "audio/opus+ogg": "audio/ogg",
  "audio/speex+ogg": "audio/ogg",
  "audio/vorbis": "audio/ogg",
  "audio/vorbis+ogg": "audio/ogg",
  "audio/aacp": "audio/aac",
  "audio/dlna.adts": "audio/aac",
  "audio/hx-aac-adts": "audio/aac",
  "video/m4v": "video/mp4",
  "video/mp4v-es": "video/mp4",
  "video/ogm+ogg": "video/ogg",
  "video/theora": "video/ogg",
  "video/theora+ogg": "video/ogg",
  "application/mp4": "video/mp4",
  "application/ogg": "audio/ogg",
};

/** `MediaRecorder` uses these names for WebM with a codec that WebM does not define, and always states the codec. */
const RECORDER_ALIASES: Readonly<Record<string, MediaType>> = {
  "audio/matroska": "audio/webm",
  "video/matroska": "video/webm",
};

/** Media types that do not tell the format. */
const GENERIC_TYPES: ReadonlySet<string> = /* @__PURE__ */ new Set(["application/octet-stream", "binary/octet-stream"]);

/** Whether a media type does not tell the format, so that the source's own type or name is used instead. */
export const isGenericMediaType = (value: string): boolean => GENERIC_TYPES.has(mediaTypeEssence(value));

/** The service's name for a media type or an alias, without parameters; `undefined` if it does not accept the type. */
export function mediaType(value: string): MediaType | undefined {
  const essence = mediaTypeEssence(value).replace(/\/(x-|vnd\.)/, "/");
  if ((MEDIA_TYPES as readonly string[]).includes(essence)) return essence as MediaType;
  if (Object.hasOwn(ALIASES, essence)) return ALIASES[essence];
  const isRecorded = /;\s*codecs\s*=/i.test(value) && Object.hasOwn(RECORDER_ALIASES, essence);
  return isRecorded ? RECORDER_ALIASES[essence] : undefined;
}

export const extensionOfMediaType = (value: string): string | undefined =>
  Object.entries(MEDIA_TYPE_OF_EXTENSION).find(([, type]) => type === mediaType(value))?.[0];
