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
} as const;

type Extension = keyof typeof MEDIA_TYPE_OF_EXTENSION;

export function mediaTypeOfName(name: string): (typeof MEDIA_TYPE_OF_EXTENSION)[Extension] | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(MEDIA_TYPE_OF_EXTENSION, extension)
    ? MEDIA_TYPE_OF_EXTENSION[extension as Extension]
    : undefined;
}
