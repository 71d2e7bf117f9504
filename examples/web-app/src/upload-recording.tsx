import { useQueryClient } from "@tanstack/react-query";
import { uploadFile } from "notetaker-sdk/browser";
import { useState } from "react";
import { MEETINGS } from "./api";
import { sentenceOf } from "./sentence-of";

export type Upload =
  | { name: "idle" }
  | { name: "ended"; sentence: string; failed: boolean }
  | { name: "uploading"; file: string; share: number; cancel(): void };

/** The upload goes on while its user opens meetings: its state is the page's. */
export function useUpload() {
  const queryClient = useQueryClient();
  const [state, setState] = useState<Upload>({ name: "idle" });

  async function upload(file: File) {
    const controller = new AbortController();
    const show = (share: number) =>
      setState({
        name: "uploading",
        file: file.name,
        share,
        cancel: () => controller.abort(),
      });
    const end = (sentence: string, failed = false) =>
      setState({ name: "ended", sentence, failed });
    if (file.size === 0) return end("This file is empty.", true);
    show(0);
    try {
      await uploadFile(
        `/api/recordings?title=${encodeURIComponent(file.name)}`,
        file,
        {
          signal: controller.signal,
          onProgress: ({ loaded, total }) => show(loaded / total),
        },
      );
      end(`${file.name} is uploaded. Its transcript will be announced here.`);
      await queryClient.invalidateQueries({ queryKey: MEETINGS });
    } catch (error) {
      if (controller.signal.aborted) end("You cancelled the upload.");
      else end(sentenceOf(error, "upload"), true);
    }
  }
  /** Not while an upload shows its progress. */
  const say = (sentence: string) =>
    setState((state) =>
      state.name === "uploading"
        ? state
        : { name: "ended", sentence, failed: false },
    );
  const dismiss = () => setState({ name: "idle" });
  const withdraw = (sentence: string) =>
    setState((state) =>
      state.name === "ended" && state.sentence === sentence
        ? { name: "idle" }
        : state,
    );
  return { state, upload, say, withdraw, dismiss };
}

export function UploadRecording({ upload }: { upload(file: File): void }) {
  return (
    <form>
      <label htmlFor="recording">Recording</label>
      <input
        id="recording"
        type="file"
        accept="audio/*,video/*"
        onChange={({ target }) => {
          const file = target.files?.[0];
          target.value = ""; // the same file can be chosen again
          if (file !== undefined) upload(file);
        }}
      />
      <p className="quiet">
        An audio or video file. The upload starts at once.
      </p>
    </form>
  );
}

export function UploadProgress({
  state,
  dismiss,
}: {
  state: Upload;
  dismiss(): void;
}) {
  if (state.name === "idle") return null;
  if (state.name === "ended")
    return (
      <div className="strip">
        <p role={state.failed ? "alert" : "status"}>{state.sentence}</p>
        <button type="button" onClick={dismiss}>
          OK
        </button>
      </div>
    );
  const isSent = state.share === 1;
  return (
    <div className="strip">
      <p role="status">
        {isSent ? "Waiting for the service" : "Uploading"}: {state.file}
      </p>
      <progress
        aria-label="Progress of the upload"
        value={isSent ? undefined : state.share}
      />
      <span className="quiet">{Math.floor(state.share * 100)} %</span>
      <button type="button" onClick={state.cancel}>
        Cancel
      </button>
    </div>
  );
}
