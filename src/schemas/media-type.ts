/** The media types of uploads: see "PUT /meetings/upload" in the API specification. Without zod. */

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
/** A media type that the service accepts for an upload. */
export type MediaType = (typeof MEDIA_TYPES)[number];

/** The media type in lower case, without parameters such as `; codecs=opus`. */
export const mediaTypeEssence = (value: string): string => (value.split(";", 1)[0] ?? "").trim().toLowerCase();
