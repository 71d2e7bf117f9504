"use client";
import { uploadFile } from "notetaker-sdk/browser";
import { useState } from "react";
import { sentenceOf } from "../lib/sentence-of";
import { OFFLINE, useLive, useRefresh } from "./live";
import { Icon } from "./notice";
import { button, problem, quiet } from "./styles";

type State =
  | { name: "idle"; sentence?: string; hasFailed?: boolean }
  | { name: "uploading"; file: string; share: number; cancel(): void };

const bar =
  "h-2 w-full min-w-0 appearance-none overflow-hidden rounded-full bg-zinc-200 dark:bg-zinc-700 [&::-moz-progress-bar]:bg-indigo-600 [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-indigo-600 dark:[&::-moz-progress-bar]:bg-indigo-400 dark:[&::-webkit-progress-value]:bg-indigo-400";

/** A server action would hold the whole file, and report no progress. */
export function UploadRecording() {
  const refresh = useRefresh();
  const { isOnline } = useLive();
  const [state, setState] = useState<State>({ name: "idle" });
  if (isOnline && state.name === "idle" && state.sentence === OFFLINE)
    setState({ name: "idle" });

  async function send(file: File) {
    const controller = new AbortController();
    const show = (share: number) =>
      setState({
        name: "uploading",
        file: file.name,
        share,
        cancel: () => controller.abort(),
      });
    const end = (sentence: string, hasFailed = false) =>
      setState({ name: "idle", sentence, hasFailed });
    if (!isOnline) return end(OFFLINE, true);
    if (file.size === 0) return end("This file is empty.", true);
    show(0);
    try {
      const title = encodeURIComponent(file.name);
      await uploadFile(`/api/recordings?title=${title}`, file, {
        signal: controller.signal,
        onProgress: ({ loaded, total }) => show(loaded / total),
      });
      end(`${file.name} is uploaded.`);
      refresh();
    } catch (error) {
      if (controller.signal.aborted) end("You cancelled the upload.");
      else end(sentenceOf(error, "upload"), true);
    }
  }

  if (state.name === "uploading") {
    const isSent = state.share === 1;
    return (
      <div className="grid grid-cols-1 content-start gap-2">
        <p role="status" className="truncate text-sm font-semibold">
          {isSent ? "Waiting for the service" : "Uploading"}: {state.file}
        </p>
        <div className="flex items-center gap-3">
          <progress
            className={`${bar} ${isSent ? "animate-pulse" : ""}`}
            aria-label="Progress of the upload"
            value={state.share}
          />
          <span className={`whitespace-nowrap tabular-nums ${quiet}`}>
            {Math.floor(state.share * 100)} %
          </span>
          <button type="button" className={button.quiet} onClick={state.cancel}>
            Cancel
          </button>
        </div>
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 content-start gap-2">
      <label
        htmlFor="recording"
        className="text-sm font-semibold max-sm:sr-only"
      >
        Upload a recording
      </label>
      <div className={button.drop}>
        <Icon name="upload" />
        <span className="sm:hidden">Upload a recording</span>
        <span className="max-sm:hidden">Choose a file, or drop it here</span>
        <input
          id="recording"
          type="file"
          accept="audio/*,video/*"
          className="absolute inset-0 cursor-pointer opacity-0"
          onChange={({ target }) => {
            const file = target.files?.[0];
            target.value = ""; // the same file can be chosen again
            if (file !== undefined) void send(file);
          }}
        />
      </div>
      <p
        role={state.hasFailed ? "alert" : "status"}
        className={`wrap-anywhere ${state.hasFailed ? problem : quiet} ${state.sentence ? "" : "max-sm:hidden"}`}
      >
        {state.sentence ?? "Audio or video. The upload starts at once."}
      </p>
    </div>
  );
}
