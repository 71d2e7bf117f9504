/** An emulator without rate limits is read without a pace. */
import { orUndefined } from "../json/or-undefined.js";
import { EMULATOR_LIMITS_HEADER } from "../testing/http/rate-limits.js";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The requests per minute, or `undefined`: the usual ones. Asks only a service on this machine, and without the token. */
export async function emulatorPace(baseUrl: string, signal: AbortSignal): Promise<number | undefined> {
  const url = orUndefined(() => new URL(baseUrl));
  if (url === undefined || !LOOPBACK.test(url.hostname)) return undefined;
  // The run itself reports what fails.
  const response = await fetch(url, { redirect: "manual", signal }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.headers.get(EMULATOR_LIMITS_HEADER) === "none" ? Number.MAX_SAFE_INTEGER : undefined;
}
