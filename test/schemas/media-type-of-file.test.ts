/** The media types of uploads, and their names on desktops. */
import db from "mime-db";
import { describe, expect, it } from "vitest";
import { MEDIA_TYPE_OF_EXTENSION, mediaType } from "../../src/schemas/media-type-of-file.js";

/** The names of our formats, with their aliases, in freedesktop.org's shared-mime-info 2.4, which Linux desktops use. */
const FREEDESKTOP = {
  "audio/mpeg": ["audio/x-mp3", "audio/x-mpg", "audio/x-mpeg", "audio/mp3"],
  "audio/mp4": ["audio/x-m4a", "audio/m4a", "audio/x-m4b"],
  "audio/wav": ["audio/x-wav", "audio/vnd.wave"],
  "audio/ogg": [
    "audio/x-ogg",
    "audio/x-vorbis+ogg",
    "audio/vorbis",
    "audio/x-vorbis",
    "audio/x-flac+ogg",
    "audio/x-oggflac",
    "audio/x-opus+ogg",
    "audio/x-speex+ogg",
    "application/ogg",
    "application/x-ogg",
  ],
  "audio/aac": ["audio/x-aac"],
  "audio/flac": ["audio/x-flac"],
  "video/mp4": ["video/mp4v-es", "video/x-m4v"],
  "video/ogg": ["video/x-ogg", "video/x-theora+ogg", "video/x-theora", "video/x-ogm+ogg"],
} as const;

/** Names of libmagic (`file --mime-type`), of Windows and of older browsers. */
const OTHERS = {
  "audio/mpeg": ["audio/mpeg3", "audio/x-mpeg-3", "audio/mpg"],
  "audio/mp4": ["audio/x-mp4a-latm", "audio/mp4a"],
  "audio/wav": ["audio/wave", "audio/x-pn-wav"],
  "audio/ogg": ["audio/opus"],
  "audio/aac": ["audio/x-hx-aac-adts", "audio/vnd.dlna.adts", "audio/aacp", "audio/aac-adts"],
  "video/quicktime": ["video/x-quicktime", "video/mov"],
} as const;

describe.each([
  ["freedesktop.org", FREEDESKTOP],
  ["libmagic and others", OTHERS],
])("the names of %s", (_, names) => {
  it.each(Object.entries(names))("of %s are replaced by the service's own", (own, aliases: readonly string[]) => {
    expect(aliases.map((name) => [name, mediaType(name)])).toEqual(aliases.map((name) => [name, own]));
  });
});

it("every audio and video type of mime-db with the extension of a format is the type of that extension", () => {
  const extensions = Object.entries(MEDIA_TYPE_OF_EXTENSION);
  for (const [name, { extensions: listed = [] }] of Object.entries(db)) {
    const types = extensions.filter(([extension]) => listed.includes(extension)).map(([, type]) => type);
    if (types.length > 0) expect(types, name).toContain(mediaType(name));
  }
});

it.each(["audio/x-ms-wma", "video/x-msvideo", "audio/midi", "video/mpeg", "audio/x-matroska", "text/plain", ""])(
  "a type of no format is not replaced: %j",
  (name) => {
    expect(mediaType(name)).toBeUndefined();
  },
);
