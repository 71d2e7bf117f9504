/**
 * The service that an example uses: the live service if NOTETAKER_BASE_URL and NOTETAKER_TOKEN are set, otherwise the
 * emulator, which needs no account and no network.
 */
import { type ClientOptions, Notetaker } from "notetaker-sdk";
import { createEmulator, type Emulator, type EmulatorOptions } from "notetaker-sdk/testing";

export interface ExampleService {
  /** Whether the example uses the live service. */
  live: boolean;
  /** The emulator; unused if the service is live. */
  service: Emulator;
  /** The client's options; empty for the live service, because then the client reads the environment. */
  options: ClientOptions;
}

export function exampleService(emulatorOptions: EmulatorOptions = {}): ExampleService {
  const live = process.env.NOTETAKER_BASE_URL !== undefined && process.env.NOTETAKER_TOKEN !== undefined;
  const service = createEmulator(emulatorOptions);
  const { baseUrl, token, fetch } = service;
  return { live, service, options: live ? {} : { baseUrl, token, fetch } };
}

export const exampleClient = (): Notetaker => new Notetaker(exampleService().options);
