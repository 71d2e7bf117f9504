/** Uploads and their media types: see "Upload acknowledgement" and "PUT /meetings/upload" in the API specification. */
import * as z from "zod/mini";
import { type MeetingId, meetingId } from "./ids.js";
import { maxLength, openEnum, requestObject, responseObject, type ShapeOf } from "./primitives.js";

/** The longest title of an upload, in characters. */
export const UPLOAD_TITLE_MAX = 500;
/** The longest language code of an upload, in characters. */
export const UPLOAD_LANGUAGE_MAX = 10;
/** The status of an upload that was accepted. */
export const UPLOAD_STATUSES = ["processing"] as const;

/** Parameters of `meetings.upload` that are sent in the query. */
export interface UploadParams {
  /** The title of the meeting, of at most 500 characters. Default: the service's own choice. */
  title?: string | undefined;
  /**
   * The code of the spoken language, of at most 10 characters, for example `en`. Default: the service detects the
   * language.
   */
  language?: string | undefined;
}

export const uploadParamsShape: ShapeOf<UploadParams> = {
  title: z.optional(maxLength(UPLOAD_TITLE_MAX)),
  language: z.optional(maxLength(UPLOAD_LANGUAGE_MAX)),
};

/** The zod schema of {@link UploadParams}. */
export const uploadParamsSchema = requestObject<UploadParams>(uploadParamsShape);

/** The response to `meetings.upload`: the file is accepted, and queued for transcription and analysis. */
export interface UploadResult {
  /** The id of the meeting that the service creates from the file, `mtg_…`. */
  id: MeetingId;
  /** `processing` */
  status: (typeof UPLOAD_STATUSES)[number] | (string & {});
}

/** The zod schema of {@link UploadResult}. */
export const uploadResultSchema = responseObject<UploadResult>({
  id: meetingId,
  status: openEnum<(typeof UPLOAD_STATUSES)[number]>(),
});

export const AUDIO_TYPES = [
  "audio/mpeg",
  "audio/mp4",
  "audio/wav",
  "audio/webm",
  "audio/ogg",
  "audio/aac",
  "audio/flac",
] as const;
export const VIDEO_TYPES = ["video/mp4", "video/webm", "video/ogg", "video/quicktime"] as const;
/** The media types that the service accepts for an upload. */
export const MEDIA_TYPES = [...AUDIO_TYPES, ...VIDEO_TYPES] as const;
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

/** The file extensions of the formats, for a source that has a name but no type. */
const EXTENSIONS: Readonly<Record<string, MediaType>> = {
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
};

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

/** The media type that a file name's extension stands for. */
export function mediaTypeOfName(name: string): MediaType | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
}

/** The extension of a file of a media type. */
export const extensionOfMediaType = (value: string): string | undefined =>
  Object.entries(EXTENSIONS).find(([, type]) => type === mediaType(value))?.[0];
