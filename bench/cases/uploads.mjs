/** Uploading a recording from a file, beside plain Node and other clients. */
import { TRANSFER_CASE, transfers } from "../runner/recording-file.mjs";

/** `fetch` keeps a streamed body in memory, unless redirects are refused. */
const HOLDS = "holds the whole file in memory";

export default {
  ...TRANSFER_CASE,
  title: "An upload",
  baseline: "fetch, a stream, redirects refused",
  programs: () =>
    transfers("upload", [
      "fetch, a stream, redirects refused",
      "notetaker-sdk, fromPath",
      "notetaker-sdk, a stream",
      "fetch, a stream",
      "node:http",
      "ky, a stream",
      "openai, a stream",
      "assemblyai, a path",
    ]),
  does: {
    "fetch, a stream": HOLDS,
    "ky, a stream": HOLDS,
    "openai, a stream": HOLDS,
    "assemblyai, a path": HOLDS,
  },
  figures: [
    {
      title: "peak memory of an upload, MiB",
      row: "notetaker-sdk, fromPath",
      metric: "peakMiB",
      wanted: 128,
      digits: 0,
    },
  ],
};
