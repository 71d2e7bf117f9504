import type { Fetch } from "notetaker-sdk";

/** Turns a request handler into the `fetch` that a client calls with a URL and an init. */
export const asFetch =
  (handle: (request: Request) => Promise<Response>): Fetch =>
  async (url, init) => {
    if (typeof url !== "string") throw new TypeError("expected fetch to be called with a string");
    return handle(new Request(url, init));
  };
