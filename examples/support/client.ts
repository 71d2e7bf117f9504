/**
 * The client of an example: of the live service if NOTETAKER_BASE_URL and NOTETAKER_TOKEN are set, else of the emulator,
 * which needs no account and no network.
 */
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";

export function exampleClient(): Notetaker {
  if (process.env.NOTETAKER_BASE_URL !== undefined && process.env.NOTETAKER_TOKEN !== undefined) return new Notetaker();
  const { baseUrl, token, fetch } = createEmulator();
  return new Notetaker({ baseUrl, token, fetch });
}
