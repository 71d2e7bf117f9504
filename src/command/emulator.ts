import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { isRecord } from "../json/is-record.js";
import { parseJson } from "../json/parse-json.js";
import { isLoopbackHost } from "../links/http-url.js";
import { isPort } from "../testing/adapters/http-server.js";
import type { AccountControls } from "../testing/controls/account.js";
import { createEmulator } from "../testing/emulator.js";
import { EmulatorError } from "../testing/emulator-error.js";
import type { RecordedRequest } from "../testing/http/requests.js";
import { type EmulatorOptions, ENFORCED_LIMITS, type EnforcedLimits } from "../testing/options.js";
import type { Seed } from "../testing/seed/seed.js";
import { checkedSecret } from "../webhooks/receive/webhook-secret.js";
import { type Command, type CommandContext, parseFlags, readNumber, UsageError } from "./command.js";

const OPTIONS = {
  port: { type: "string", default: "4010" },
  host: { type: "string", default: "127.0.0.1" },
  "allow-host": { type: "string", multiple: true, default: [] as string[] },
  token: { type: "string" },
  seed: { type: "string" },
  speed: { type: "string", default: "1" },
  webhook: { type: "string", multiple: true, default: [] as string[] },
  "webhook-secret": { type: "string", multiple: true, default: [] as string[] },
  limits: { type: "string", default: "specified" },
  cors: { type: "string" },
  control: { type: "boolean", default: false },
  lenient: { type: "boolean", default: false },
  detached: { type: "boolean", default: false },
} as const;

/** Reads `--seed`, a number or a file: the content of one account, or of several accounts. */
function readSeed(value: string | undefined): Pick<EmulatorOptions, "seed" | "accounts"> {
  if (value === undefined) return {};
  if (/^\d+$/.test(value)) return { seed: Number(value) };
  const content = readSeedFile(value);
  if (isRecord(content) && "accounts" in content) return { accounts: content.accounts as Record<string, Seed> };
  return { seed: content as Seed };
}

function readSeedFile(path: string): unknown {
  let content: Uint8Array;
  try {
    content = readFileSync(path);
  } catch (error) {
    // The message of a system error repeats the path.
    throw new UsageError(`--seed: the file could not be read: ${(error as { code?: string }).code}`);
  }
  // The decoder skips a byte order mark. What JSON.parse says repeats a part of the file, which may be a token.
  const seed = parseJson(new TextDecoder().decode(content));
  if (seed === undefined) throw new UsageError("--seed: expected a file of JSON in UTF-8");
  return seed;
}

function parseLimits(text: string): EnforcedLimits {
  const limits = ENFORCED_LIMITS.find((choice) => choice === text);
  if (limits !== undefined) return limits;
  throw new UsageError(`--limits: expected one of ${ENFORCED_LIMITS.join(", ")}`);
}

/** A URL has no `=` before its scheme, so what stands there is the token of an account. */
function readWebhooks(targets: readonly string[], secrets: readonly string[]): EmulatorOptions["webhooks"] {
  if (secrets.length > targets.length) throw new UsageError("--webhook-secret needs --webhook");
  return targets.map((target, index) => {
    const [, token, url = target] = /^(.*?)=(https?:.*)$/s.exec(target) ?? [];
    const secret = secrets[index];
    return {
      ...{ token, url },
      secret: secret === undefined ? `whsec_${randomUUID()}` : checkedSecret("--webhook-secret", secret),
    };
  });
}

/** What the user's own program needs, with the webhooks that are called. A secret that the user chose is not repeated. */
const accountLines = ({ token, webhooks }: AccountControls, ownSecrets: readonly string[]): string[] => [
  `token:   ${token}`,
  ...webhooks
    .list()
    .filter(({ url }) => isLoopbackHost(new URL(url).hostname))
    .flatMap(({ url, secret }) => [`webhook: ${url}`, ...(ownSecrets.includes(secret) ? [] : [`secret:  ${secret}`])]),
];

function logLine({ method, url, status }: RecordedRequest): string {
  const { pathname, search } = new URL(url);
  // The key of a recording stays out of the log, because anybody with the key can download the recording.
  const path = pathname.startsWith("/recordings/") ? "/recordings/…" : pathname + search;
  return `${method} ${path} ${status ?? "broken off"}`;
}

const HELP = `npx notetaker-sdk emulator [options]

Serves an emulated note-taker service on this machine.

  --port <number>      the port; 0 is any free port             (default: 4010)
  --host <address>     the address to listen on                 (default: 127.0.0.1)
  --allow-host <name>  a further name accepted in the Host header, repeatable
  --token <token>      the token that requests must have        (default: a fixed one, printed)
  --seed <file.json>   the content of the account, or of several: { "accounts": { "<token>": { … } } };
                       or a number: the default account, with ids that depend on this number
  --speed <number>     how many times faster than real time; with 60, a minute takes a second (default: 1)
  --webhook <url>      adds a webhook for every kind of event, repeatable; <token>=<url> adds it to that account alone
  --webhook-secret <secret>  the secret of the --webhook in the same place  (default: a made-up one, printed)
  --limits <which>     the rate limits that are enforced: none, specified or all (default: specified)
  --cors <origin>      lets pages of that origin call it from a browser, or * for any
  --control            adds the control endpoints under /_emulator
  --lenient            ignores unknown parameters and fields, as the service may do
  --detached           keeps running when the process that started it has ended

Bots and meetings advance with the time: a bot joins after a few seconds, and its call lasts a minute (with --speed 1).
Exit code 0: Ctrl-C ended it; 1: it failed, for example because the port is in use; 2: an argument is wrong.`;

/** Each option of the emulator comes from an argument. */
function startFailure(error: unknown): unknown {
  if (error instanceof EmulatorError) return new UsageError(error.message);
  const { syscall, code } = error as { syscall?: string; code?: string };
  // The message of the error repeats the name.
  const isOtherMachine = syscall === "getaddrinfo" || code === "EADDRNOTAVAIL";
  return isOtherMachine ? new UsageError("--host: expected an address of this machine") : error;
}

async function run(args: string[], { stdout, stderr, signal }: CommandContext): Promise<number> {
  const { values } = parseFlags(args, OPTIONS);
  const port = readNumber("port", values.port, isPort, "a number from 0 to 65535");
  const speed = readNumber("speed", values.speed, (value) => value > 0, "a number above 0");
  const seed = readSeed(values.seed);
  const { webhook: targets, "webhook-secret": secrets } = values;
  const webhooks = readWebhooks(targets, secrets);
  const serve = async () => {
    const service = createEmulator({
      ...seed,
      token: values.token,
      limits: parseLimits(values.limits),
      now: Date.now,
      speed,
      webhooks,
      strict: !values.lenient,
      onRequest: (request) => stdout.write(`${logLine(request)}\n`),
    });
    const { url, close } = await service.listen({
      port,
      host: values.host,
      hosts: values["allow-host"],
      cors: values.cors,
      control: values.control,
      log: (line) => stderr.write(`${line}\n`),
    });
    return { service, url, close };
  };
  const { service, url, close } = await serve().catch((error: unknown) => {
    throw startFailure(error);
  });
  const tokens = seed.accounts === undefined ? [service.token] : Object.keys(seed.accounts);
  const accounts = tokens.map((token) => service.as(token));
  const control = values.control ? [`control: ${new URL("/_emulator", url)}`] : [];
  const lines = [`address: ${url}`, ...control, ...accounts.flatMap((account) => accountLines(account, secrets))];
  stdout.write(`${lines.join("\n")}\n`);

  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
    if (!values.detached) whenParentEnds(resolve);
  });
  await close();
  return 0;
}

export const emulator: Command = { help: HELP, run };

const PARENT_POLL_MS = 250;

/** Runs `end` when the process that started this one has ended, so that `npx … & kill $!` also ends the command. */
function whenParentEnds(end: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (isParent(parent)) return;
    clearInterval(timer);
    end();
  }, PARENT_POLL_MS);
  timer.unref();
}

/** Whether the parent is still running. On Windows, `process.ppid` does not change when the parent ends. */
function isParent(pid: number): boolean {
  if (process.platform !== "win32") return process.ppid === pid;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
