/** Client and emulator, driven by random commands and compared with a model of the service. */
import fc from "fast-check";
import { setupServer } from "msw/node";
import { Notetaker } from "notetaker-sdk";
import { createEmulator, type Emulator } from "notetaker-sdk/testing";
import { afterAll, beforeAll, describe, it } from "vitest";
import { COMMANDS } from "./commands.js";
import { ServiceModel } from "./service-model.js";

/** The number of random command lists. A long run has more, and more time. */
const RUNS = Number(process.env.MODEL_RUNS ?? 30);
/** A machine that is busy with other things is no failure. */
const TIME_LIMIT_MS = 20_000 * RUNS;

interface Transport {
  readonly name: string;
  /** Connects a client to the emulator, and disconnects it. */
  connect(service: Emulator): Promise<{ notetaker: Notetaker; close(): Promise<void> }>;
}

const options = { maxRetries: 0 };
const msw = setupServer();

const TRANSPORTS: readonly Transport[] = [
  {
    name: "fetch",
    connect: async ({ baseUrl, token, fetch }) => ({
      notetaker: new Notetaker({ baseUrl, token, fetch, ...options }),
      close: async () => {},
    }),
  },
  {
    name: "loopback HTTP",
    connect: async (service) => {
      const { url, close } = await service.listen({ port: 0 });
      return { notetaker: new Notetaker({ baseUrl: url, token: service.token, ...options }), close };
    },
  },
  {
    name: "msw",
    connect: async (service) => {
      msw.use(...service.handlers());
      const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, ...options });
      return { notetaker, close: async () => msw.resetHandlers() };
    },
  },
];

describe("the client and the emulator behave like the model", () => {
  beforeAll(() => msw.listen({ onUnhandledRequest: "bypass" }));
  afterAll(() => msw.close());

  it.each(TRANSPORTS)(
    "over $name",
    async ({ connect }) => {
      await fc.assert(
        fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 60, size: "max" }), async (commands) => {
          const service = createEmulator({ seed: { account: {}, rooms: [], meetings: [], events: [], webhooks: [] } });
          const arrived = { count: 0 };
          const { notetaker, close } = await connect(service);
          service.webhooks.deliverTo(() => {
            arrived.count += 1;
            return new Response("ok");
          });
          try {
            await fc.asyncModelRun(
              () => ({ model: new ServiceModel(), real: { notetaker, service, arrived } }),
              commands,
            );
          } finally {
            await close();
          }
        }),
        { numRuns: RUNS },
      );
    },
    TIME_LIMIT_MS,
  );
});
