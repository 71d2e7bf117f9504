/**
 * The service that an example talks to: the live one if NOTETAKER_BASE_URL and NOTETAKER_TOKEN are set, else the
 * emulator, which needs no account and no network.
 */
import { type ClientOptions, Notetaker } from "notetaker-sdk";
import { createEmulator, type Emulator, type EmulatorOptions } from "notetaker-sdk/testing";

export interface ExampleService {
  /** Whether the example talks to the live service. */
  live: boolean;
  /** The emulator; unused if the service is live. */
  service: Emulator;
  /** What the client needs; nothing if the service is live, for then it reads the environment. */
  options: ClientOptions;
}

export function exampleService(emulatorOptions: EmulatorOptions = {}): ExampleService {
  const live = process.env.NOTETAKER_BASE_URL !== undefined && process.env.NOTETAKER_TOKEN !== undefined;
  const service = createEmulator(emulatorOptions);
  const { baseUrl, token, fetch } = service;
  return { live, service, options: live ? {} : { baseUrl, token, fetch } };
}

export const exampleClient = (): Notetaker => new Notetaker(exampleService().options);
