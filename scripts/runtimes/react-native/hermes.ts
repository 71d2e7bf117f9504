/**
 * Runs a bundle in Hermes. The command line of Hermes has no sockets and no real timers, so this host provides both,
 * like an app does. The host sends JavaScript to Hermes line by line. Lines that Hermes prints for the host begin with
 * `@host`.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ProgramInput } from "../service.js";

type Message =
  | { kind: "ready" }
  | { kind: "timer"; id: number; delayMs: number }
  | {
      kind: "request";
      requestId: number;
      method: string;
      url: string;
      headers: [string, string][];
      text?: string;
      base64?: string;
    }
  | { kind: "abort"; requestId: number }
  | { kind: "results"; results: Record<string, string> }
  | { kind: "failure"; message: string };

/** Runs the JavaScript `bundle`, and resolves to the results of its program. */
export async function runHermes(
  hermes: string,
  bundle: string,
  input: ProgramInput,
  timeLimitMs = 120_000,
): Promise<Record<string, string>> {
  const child = spawn(hermes, ["-w"], { stdio: ["pipe", "pipe", "pipe"] });
  const output: string[] = [];
  const write = (line: string) => child.stdin.write(`${line}\n`);
  const call = (method: string, ...values: unknown[]) =>
    write(`fromHost.${method}(${values.map((value) => JSON.stringify(value)).join(", ")}), undefined`);
  const requests = new Map<number, AbortController>();

  const send = async (message: Message & { kind: "request" }) => {
    const { requestId, method, url, headers, text, base64 } = message;
    const controller = new AbortController();
    requests.set(requestId, controller);
    const body = base64 === undefined ? text : Buffer.from(base64, "base64");
    try {
      const init = { method, headers, signal: controller.signal, redirect: "follow" as const };
      const response = await fetch(url, body === undefined || body === "" ? init : { ...init, body });
      const bytes = Buffer.from(await response.arrayBuffer());
      call("response", {
        requestId,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        url: response.url,
        text: bytes.toString(),
        base64: bytes.toString("base64"),
        size: bytes.length,
      });
    } catch (error) {
      if (!controller.signal.aborted) call("failure", requestId, `${error}`);
    }
  };

  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      clearTimeout(timeLimit);
      child.kill();
      finish();
    };
    const fail = (problem: string) =>
      end(() => reject(new Error([problem, ...output.slice(-20)].join("\n").slice(0, 4_000))));
    const timeLimit = setTimeout(() => fail("no result in time"), timeLimitMs);
    const receive = (message: Message) => {
      if (message.kind === "ready") call("start", input);
      else if (message.kind === "timer") setTimeout(() => call("timer", message.id), message.delayMs).unref();
      else if (message.kind === "request") void send(message);
      else if (message.kind === "abort") requests.get(message.requestId)?.abort();
      else if (message.kind === "results") end(() => resolve(message.results));
      else fail(message.message);
    };
    child.once("close", (code) => fail(`hermes ended with ${code}`));
    child.stdin.on("error", () => {});
    createInterface(child.stderr).on("line", (line) => output.push(line));
    createInterface(child.stdout).on("line", (line) => {
      // A prompt may precede the message in the line.
      const start = line.indexOf("@host ");
      if (start === -1) output.push(line);
      else receive(JSON.parse(line.slice(start + 6)) as Message);
    });
    write(`(0, eval)(${JSON.stringify(bundle)}), undefined`);
  });
}
