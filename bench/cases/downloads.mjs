/** Saving a recording to a file, beside plain Node and other clients. */
import { TRANSFER_CASE, transfers } from "../runner/recording-file.mjs";

const OURS = "notetaker-sdk, saveRecording";

export default {
  ...TRANSFER_CASE,
  title: "A download",
  baseline: "fetch, to a file",
  programs: () => transfers("download", ["fetch, to a file", OURS, "ky, to a file", "openai, to a file"]),
  does: { [OURS]: "resumes, checks the length, writes beside the target and renames" },
  figures: [{ title: "peak memory of a download, MiB", row: OURS, metric: "peakMiB", wanted: 128, digits: 0 }],
};
