/** What is measured: the rows of each case, each a program in a process of its own, and the columns of its table. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PEERS } from "./programs/peers.mjs";

/** A row of one program with its arguments. `does` is a remark: what a client does, or leaves out. */
const row = (name, program, args, does = "") => ({ name, program: `programs/${program}.mjs`, args, does });

/** Starts a server in a process of its own. It sends its port, and ends with this process. */
async function startServer(program, ...args) {
  const child = fork(fileURLToPath(new URL(`programs/${program}.mjs`, import.meta.url)), args, { execArgv: [] });
  const [port] = await once(child, "message");
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}

const HOLDS = "holds the whole file in memory";

export const CASES = {
  calls: {
    baseline: "fetch",
    columns: { cpu: { title: "CPU", unit: "µs" } },
    async start() {
      const { origin, stop } = await startServer("api-server");
      return { rows: Object.entries(PEERS).map(([name, { does }]) => row(name, "call", [origin, name], does)), stop };
    },
  },
  validation: {
    baseline: "fetch and JSON.parse",
    columns: {
      rooms: { title: "100 rooms of 10 meetings", unit: "ms", digits: 2 },
      segments: { title: "50,000 segments", unit: "ms", digits: 1 },
    },
    start: () => ({
      rows: ["fetch and JSON.parse", "notetaker-sdk, validation off", "notetaker-sdk"].map((name) =>
        row(name, "validation", [name]),
      ),
    }),
  },
  pages: {
    baseline: "fetch",
    columns: { few: { title: "a page of 2,000", unit: "µs" }, many: { title: "a page of 20,000", unit: "µs" } },
    start: () => ({
      rows: ["fetch", "notetaker-sdk", "openai", "@anthropic-ai/sdk"].map((name) =>
        row(name, "walk", [name, "2000", "20000"], PEERS[name].does),
      ),
    }),
  },
  import: {
    baseline: "zod and ky together",
    columns: { cpu: { title: "CPU", unit: "ms" } },
    start: () => ({
      rows: [
        row("notetaker-sdk", "import", ["notetaker-sdk"]),
        row("notetaker-sdk, by require", "import", ["--require", "notetaker-sdk"]),
        row("zod and ky together", "import", ["zod", "ky"]),
        ...["zod", ...Object.keys(PEERS).filter((name) => name !== "fetch" && !name.startsWith("notetaker"))].map(
          (name) => row(name, "import", [name]),
        ),
      ],
    }),
  },
  uploads: {
    baseline: "fetch, redirects refused",
    columns: { cpu: { title: "CPU", unit: "s", digits: 2 }, peakMiB: { title: "peak memory", unit: "MiB" } },
    async start(mebibytes) {
      const folder = mkdtempSync(join(tmpdir(), "notetaker-bench-"));
      const file = join(folder, "recording.mp4");
      writeFileSync(file, "");
      truncateSync(file, mebibytes * 1024 * 1024);
      const { origin, stop } = await startServer("media-server", file);
      const dist = new URL("../dist/node/", import.meta.url).href;
      const args = (name) => [name, file, origin, dist, join(folder, "saved.mp4")];
      const upload = (name, does) => row(name, "media-case", args(`upload, ${name}`), does);
      return {
        rows: [
          upload("fetch, redirects refused"),
          upload("notetaker-sdk, fromPath"),
          upload("notetaker-sdk, a stream"),
          ...["fetch", "ky", "openai"].map((name) => upload(`${name}, a stream`, HOLDS)),
          upload("assemblyai, a path", HOLDS),
          upload("node:http"),
          row(
            "notetaker-sdk, saveRecording",
            "media-case",
            args("download, notetaker-sdk, saveRecording"),
            "a download",
          ),
        ],
        stop() {
          stop();
          rmSync(folder, { recursive: true });
        },
      };
    },
  },
};
