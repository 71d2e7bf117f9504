/** Runs a program in a worker, which is loaded only now. A worker can be stopped even in an endless loop. */
import type { Report } from "./run-program.js";

const LIMIT_MS = 20_000;
const OUT_OF_TIME = "The program did not end: it has an endless loop, or waits for something that never happens.";

/** Returns a function that stops the program. The last report is always of the kind `end`. */
export function startProgram(code: string, onReport: (report: Report) => void): () => void {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  let limit: ReturnType<typeof setTimeout> | undefined;
  const end = (how: Extract<Report, { kind: "end" }>["how"], note?: string) => {
    clearTimeout(limit);
    worker.terminate();
    worker.onmessage = null;
    if (note !== undefined) onReport({ kind: "line", level: "note", text: note });
    onReport({ kind: "end", how });
  };
  worker.onmessage = ({ data }: MessageEvent<Report>) => {
    if (data.kind === "end") return end(data.how);
    if (data.kind === "ready") {
      limit = setTimeout(() => end("out of time", OUT_OF_TIME), LIMIT_MS);
      worker.postMessage(code);
    }
    onReport(data);
  };
  worker.onerror = () => end("failed", "The script that runs programs could not be loaded.");
  return () => end("stopped", "Stopped.");
}
