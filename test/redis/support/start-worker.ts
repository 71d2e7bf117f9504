import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Worker {
  /** The first message that has this field. */
  message(field: string): Promise<Record<string, unknown>>;
  kill(): Promise<void>;
}

/** Starts worker.ts in a separate process. */
export function startWorker(role: string, redisUrl: string, setting = ""): Worker {
  const path = fileURLToPath(new URL("./worker.ts", import.meta.url));
  const child = fork(path, [role, redisUrl, setting], {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const messages: Record<string, unknown>[] = [];
  child.on("message", (message) => messages.push(message as Record<string, unknown>));
  return {
    async message(field) {
      for (;;) {
        const found = messages.find((message) => field in message);
        if (found) return found;
        if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}`);
        await Promise.race([once(child, "message"), once(child, "exit")]);
      }
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}
