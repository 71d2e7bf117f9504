import { setupServer } from "msw/node";
import { Notetaker } from "notetaker-sdk";
import { createEmulator, type Listening } from "notetaker-sdk/testing";
import { afterAll, beforeAll, describe } from "vitest";
import { sdkOnEmulator } from "./three-ways.js";

describe("an emulator in memory", () => {
  const service = createEmulator();
  const notetaker = new Notetaker(service.clientOptions);
  sdkOnEmulator("its fetch function", () => ({ service, notetaker }));
});

describe("an emulator behind msw", () => {
  const service = createEmulator();
  const server = setupServer(...service.handlers());
  beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
  afterAll(() => server.close());
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token });
  sdkOnEmulator("msw", () => ({ service, notetaker }));
});

describe("an emulator on a local port", () => {
  const service = createEmulator();
  let listening: Listening;
  let notetaker: Notetaker;
  beforeAll(async () => {
    listening = await service.listen();
    notetaker = new Notetaker({ baseUrl: listening.url, token: service.token });
  });
  afterAll(() => listening.close());
  sdkOnEmulator("HTTP", () => ({ service, notetaker }));
});
