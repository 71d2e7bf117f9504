/** Starts a server program, which sends its port to this process and runs until it is stopped. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export async function startServer(program, args = []) {
  const child = fork(fileURLToPath(new URL(`../${program}`, import.meta.url)), args, { execArgv: [] });
  const [port] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error(`${program} ended before it served`))),
  ]);
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
