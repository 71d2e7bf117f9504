/** A recording sent from a file, beside what Node brings and what others do. */
import { serveRecording, TRANSFER_METRICS, transfers } from "../runner/recording-file.mjs";

export default {
  title: "An upload",
  baseline: "fetch, a stream, redirects refused",
  metrics: TRANSFER_METRICS,
  rounds: { quick: 1, usual: 3, full: 5 },
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
    "fetch, a stream": "holds the whole file in memory before Node 26",
    "ky, a stream": "holds the whole file in memory",
    "openai, a stream": "does not stream: reads the whole file into a form",
    "assemblyai, a path": "",
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
  start: serveRecording,
};
