/** `notetaker-emulator`: serves the emulator on this machine. */
import { isRecord } from "../../json/is-record.js";
import { isPort } from "../check-value.js";
import { createEmulator } from "../emulator.js";
import type { RecordedRequest } from "../http/requests.js";
import type { EmulatorOptions } from "../options.js";
import type { Seed } from "../seed/seed.js";
import { ENFORCED_LIMITS } from "../state/settings.js";
import { readArguments, readChoice, readJsonFile, readNumber } from "./read-arguments.js";
import { whenParentEnds } from "./when-parent-ends.js";

const OPTIONS = {
  port: { type: "string", default: "4010" },
  host: { type: "string", default: "127.0.0.1" },
  "allow-host": { type: "string", multiple: true, default: [] as string[] },
  token: { type: "string" },
  seed: { type: "string" },
  speed: { type: "string", default: "1" },
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
  const content = readJsonFile("seed", value);
  if (isRecord(content) && "accounts" in content) return { accounts: content.accounts as Record<string, Seed> };
  return { seed: content as Seed };
}

function logLine({ method, url, status }: RecordedRequest): string {
  const { pathname, search } = new URL(url);
  // The key of a recording stays out of the log, because anybody with the key can download the recording.
  const path = pathname.startsWith("/recordings/") ? "/recordings/…" : pathname + search;
  return `${method} ${path} ${status ?? "broken off"}`;
}

export async function serve(args: string[]): Promise<void> {
  const { values } = readArguments(args, OPTIONS);
  const port = readNumber("port", values.port, isPort, "a number from 0 to 65535");
  const speed = readNumber("speed", values.speed, (value) => value > 0, "a number above 0");
  const seed = readSeed(values.seed);
  const service = createEmulator({
    ...seed,
    token: values.token,
    limits: readChoice("limits", values.limits, ENFORCED_LIMITS),
    now: Date.now,
    speed,
    strict: !values.lenient,
    onRequest: (request) => console.log(logLine(request)),
  });
  const { url, close } = await service.listen({
    port,
    host: values.host,
    hosts: values["allow-host"],
    cors: values.cors,
    control: values.control,
    log: (line) => console.error(line),
  });
  const tokens = seed.accounts === undefined ? [service.token] : Object.keys(seed.accounts);
  console.log([`address: ${url}`, ...tokens.map((token) => `token:   ${token}`)].join("\n"));

  const end = () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  if (!values.detached) whenParentEnds(end);
}
