/** A recording saved to a file, beside what Node brings and what others do. */
import { serveRecording, TRANSFER_METRICS, transfers } from "../runner/recording-file.mjs";

const OURS = "notetaker-sdk, saveRecording";

export default {
  title: "A download",
  baseline: "fetch, to a file",
  metrics: TRANSFER_METRICS,
  rounds: { quick: 3, usual: 5, full: 7 },
  programs: () => transfers("download", ["fetch, to a file", OURS, "ky, to a file", "openai, to a file"]),
  does: { [OURS]: "resumes, checks the length, writes beside the target and renames" },
  figures: [{ title: "peak memory of a download, MiB", row: OURS, metric: "peakMiB", wanted: 128, digits: 0 }],
  start: serveRecording,
};
