/** The media type of a file, by whatever name its source states it, or by its extension. Without zod. */
import { MEDIA_TYPES, type MediaType, mediaTypeEssence } from "./media-type.js";

/** The file extensions of the formats, for a source that has a name but no type. */
export const MEDIA_TYPE_OF_EXTENSION = {
  mp3: "audio/mpeg",
  mpga: "audio/mpeg",
  m4a: "audio/mp4",
  m4b: "audio/mp4",
  wav: "audio/wav",
  wave: "audio/wav",
  weba: "audio/webm",
  ogg: "audio/ogg",
  oga: "audio/ogg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  mp4: "video/mp4",
  m4v: "video/mp4",
  webm: "video/webm",
  ogv: "video/ogg",
  mov: "video/quicktime",
  qt: "video/quicktime",
  qta: "video/quicktime",
} as const satisfies Readonly<Record<string, MediaType>>;

/** Other names of the formats, without `x-` or `vnd.`. A test compares them with mime-db and freedesktop.org. */
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
  "audio/pn-wav": "audio/wav",
  "audio/flac+ogg": "audio/ogg",
  "audio/oggflac": "audio/ogg",
  "audio/opus": "audio/ogg",
  "audio/opus+ogg": "audio/ogg",
  "audio/speex+ogg": "audio/ogg",
  "audio/vorbis": "audio/ogg",
  "audio/vorbis+ogg": "audio/ogg",
  "audio/aac-adts": "audio/aac",
  "audio/aacp": "audio/aac",
  "audio/dlna.adts": "audio/aac",
  "audio/hx-aac-adts": "audio/aac",
  "video/m4v": "video/mp4",
  "video/mp4v-es": "video/mp4",
  "video/ogm+ogg": "video/ogg",
  "video/theora": "video/ogg",
  "video/theora+ogg": "video/ogg",
  "video/mov": "video/quicktime",
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

/** The media type by the type of a source, or else by the extension of its name. */
export const mediaTypeOfFile = ({ type = "", name = "" }: { type?: string | undefined; name?: string | undefined }) =>
  mediaType(type) ?? mediaTypeOfName(name);

export function mediaTypeOfName(name: string): MediaType | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(MEDIA_TYPE_OF_EXTENSION, extension)
    ? MEDIA_TYPE_OF_EXTENSION[extension as keyof typeof MEDIA_TYPE_OF_EXTENSION]
    : undefined;
}

export const extensionOfMediaType = (value: string): string | undefined =>
  Object.entries(MEDIA_TYPE_OF_EXTENSION).find(([, type]) => type === mediaType(value))?.[0];
