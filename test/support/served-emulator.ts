import { createEmulator, type EmulatorOptions } from "notetaker-sdk/testing";
import { onTestFinished } from "vitest";

/** An emulator on a local port until the test ends, and the environment of a program that calls it. */
export async function servedEmulator(options: EmulatorOptions = {}) {
  const service = createEmulator({ limits: "none", ...options });
  const { url, close } = await service.listen();
  onTestFinished(close);
  return { service, url, env: { NOTETAKER_TOKEN: service.token, NOTETAKER_BASE_URL: url } };
}
