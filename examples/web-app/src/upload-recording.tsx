import { useQueryClient } from "@tanstack/react-query";
import { uploadFile } from "notetaker-sdk/browser";
import { useState } from "react";
import { meetingsQuery } from "./api";
import { sentenceOf } from "./sentence-of";

type State =
  | { name: "idle"; sentence?: string; failed?: boolean }
  | { name: "uploading"; share: number; cancel(): void };

export function UploadRecording() {
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File>();
  const [state, setState] = useState<State>({ name: "idle" });

  // #region upload
  async function upload(file: File) {
    const controller = new AbortController();
    const cancel = () => controller.abort();
    setState({ name: "uploading", share: 0, cancel });
    try {
      await uploadFile(
        `/api/recordings?title=${encodeURIComponent(file.name)}`,
        file,
        {
          signal: controller.signal,
          onProgress: ({ loaded, total }) =>
            setState({ name: "uploading", share: loaded / total, cancel }),
        },
      );
      const sentence = `${file.name} is uploaded. Its transcript will be announced above.`;
      setState({ name: "idle", sentence });
      await queryClient.invalidateQueries({ queryKey: meetingsQuery.queryKey });
    } catch (error) {
      const sentence = controller.signal.aborted
        ? "You cancelled the upload."
        : sentenceOf(
            error,
            "The connection failed. The recording may be uploaded: look at your meetings before you upload it again.",
          );
      setState({
        name: "idle",
        sentence,
        failed: !controller.signal.aborted,
      });
    }
  }
  // #endregion

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (file !== undefined) void upload(file);
      }}
    >
      <label>
        Recording{" "}
        <input
          type="file"
          accept="audio/*,video/*"
          onChange={({ target }) => setFile(target.files?.[0])}
        />
      </label>
      {state.name === "uploading" ? (
        <>
          <progress
            aria-label="Progress"
            value={state.share < 1 ? state.share : undefined}
          />
          <button type="button" onClick={state.cancel}>
            Cancel
          </button>
          <p role="status">
            {state.share < 1 ? "Sending …" : "Waiting for the service …"}
          </p>
        </>
      ) : (
        <>
          <button type="submit" disabled={file === undefined}>
            Upload
          </button>
          {state.sentence && (
            <p role={state.failed ? "alert" : "status"}>{state.sentence}</p>
          )}
        </>
      )}
    </form>
  );
}
