/** A process of an example that has several. Its output goes to the output of this one, and it ends with this one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface ExampleProcess {
  /** Sends SIGTERM, and resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** Starts a TypeScript file, and resolves when it has printed `ready`. */
export async function startProcess(file: URL, env: NodeJS.ProcessEnv, ready: RegExp): Promise<ExampleProcess> {
  const args = ["--import", import.meta.resolve("tsx"), fileURLToPath(file)];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const lines = createInterface(child.stdout);
  process.once("exit", () => child.kill("SIGKILL"));
  await new Promise<void>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${file.pathname} ended with ${code}`)));
    lines.on("line", (line) => {
      console.log(line);
      if (ready.test(line)) resolve();
    });
  });
  return {
    async stop() {
      child.kill("SIGTERM");
      const [exitCode] = (await ended) as [number | null];
      return exitCode;
    },
  };
}
