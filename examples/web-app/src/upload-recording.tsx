import { useQueryClient } from "@tanstack/react-query";
import { uploadFile } from "notetaker-sdk/browser";
import { useState } from "react";
import { meetingsQuery } from "./api";

type State =
  | { name: "idle"; sentence?: string; failed?: boolean }
  | { name: "uploading"; share: number; cancel(): void };

export function UploadRecording() {
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File>();
  const [state, setState] = useState<State>({ name: "idle" });

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
      setState({
        name: "idle",
        sentence: `${file.name} is uploaded. Its transcript will be announced above.`,
      });
      await queryClient.invalidateQueries({ queryKey: meetingsQuery.queryKey });
    } catch (error) {
      if (controller.signal.aborted)
        setState({ name: "idle", sentence: "You cancelled the upload." });
      else
        setState({ name: "idle", sentence: sentenceOf(error), failed: true });
    }
  }

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
          <progress aria-label="Progress" value={state.share} />
          <button type="button" onClick={state.cancel}>
            Cancel
          </button>
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

/** `uploadFile` rejects with the library's error that the server's `errorResponse` described. */
function sentenceOf(error: unknown): string {
  const { message, outcome, retryAfterMs } = error as {
    message: string;
    outcome?: string;
    retryAfterMs?: number;
  };
  if (retryAfterMs !== undefined)
    return `Too many uploads. Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
  if (outcome === "unknown") {
    return "The connection failed. The recording may be uploaded: look at your meetings before you upload it again.";
  }
  return message;
}
