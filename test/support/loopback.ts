/** Real servers on this machine, and a client for them, for behaviour that only a real connection has. */
import { type ClientOptions, Notetaker } from "notetaker-sdk";
import { TOKEN } from "./recorder.js";

export * from "./servers.js";

/** A client that uses the network and does not retry. */
export const clientAt = (origin: string, options: ClientOptions = {}) =>
  new Notetaker({ baseUrl: `${origin}/v1`, token: TOKEN, maxRetries: 0, ...options });
