"use client";
import { useRouter } from "next/navigation";
import { uploadFile } from "notetaker-sdk/browser";
import { useState } from "react";
import { sentenceOf } from "../lib/sentence-of";

const MAYBE =
  "The connection failed. The recording may be uploaded: look before you try again.";

/** A server action would hold the whole file, and report no progress. */
export function UploadRecording() {
  const router = useRouter();
  const [share, setShare] = useState<number>();
  const [sentence, setSentence] = useState("");
  const [upload, setUpload] = useState<AbortController>();

  async function send(file: File) {
    if (file.size === 0) return setSentence("This file is empty.");
    const controller = new AbortController();
    setUpload(controller);
    setSentence("");
    try {
      const title = encodeURIComponent(file.name);
      await uploadFile(`/api/recordings?title=${title}`, file, {
        signal: controller.signal,
        onProgress: ({ loaded, total }) => setShare(loaded / total),
      });
      setSentence(`${file.name} is uploaded.`);
      router.refresh();
    } catch (error) {
      const { aborted } = controller.signal;
      setSentence(
        aborted ? "You cancelled the upload." : sentenceOf(error, MAYBE),
      );
    }
    setUpload(undefined);
    setShare(undefined);
  }

  return (
    <p>
      <input
        type="file"
        aria-label="Recording"
        accept="audio/*,video/*"
        disabled={upload !== undefined}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = ""; // so that the same file can be chosen again
          if (file) void send(file);
        }}
      />
      {upload && (
        <>
          <progress value={share} aria-label="Progress of the upload" />
          <button type="button" onClick={() => upload.abort()}>
            Cancel
          </button>
        </>
      )}
      <span role="status">{sentence}</span>
    </p>
  );
}
