/** The media types of uploads, and their names on desktops. */
import db from "mime-db";
import { expect, it } from "vitest";
import { MEDIA_TYPE_OF_EXTENSION, mediaType } from "../../src/schemas/media-type-of-file.js";

/** Names of desktops, of libmagic (`file --mime-type`) and of older browsers. */
it.each([
  ["audio/mpeg", ["audio/x-mp3", "audio/x-mpeg", "audio/mp3", "audio/mpeg3"]],
  ["audio/mp4", ["audio/x-m4a", "audio/m4a", "audio/x-mp4a-latm"]],
  ["audio/wav", ["audio/x-wav", "audio/vnd.wave", "audio/wave"]],
  ["audio/ogg", ["audio/x-ogg", "application/ogg", "application/x-ogg", "audio/opus"]],
  ["audio/aac", ["audio/x-aac", "audio/x-hx-aac-adts", "audio/aacp"]],
  ["audio/flac", ["audio/x-flac"]],
  ["video/mp4", ["video/x-m4v", "application/mp4"]],
  ["video/quicktime", ["video/x-quicktime", "video/mov"]],
])("other names of %s are replaced by the service's own", (own, aliases) => {
  expect(aliases.map((name) => [name, mediaType(name)])).toEqual(aliases.map((name) => [name, own]));
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
