/** A service on the loopback interface that accepts uploads, and records what arrived. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type ClientOptions, Notetaker } from "notetaker-sdk";
import { httpServer } from "../../support/loopback.js";
import { TOKEN } from "../../support/recorder.js";

export interface Arrival {
  url: string;
  headers: IncomingHttpHeaders;
  /** The bytes that arrived, even of an incomplete upload. */
  bytes: Buffer;
  whole: boolean;
}

export const ACCEPTED = { id: "mtg_up1", status: "processing" };

export const answerJson = (response: ServerResponse, status: number, body: unknown, headers: object = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

/** `answer` is called after the body has arrived. By default each upload is accepted. */
export async function uploadService(
  answer: (response: ServerResponse, index: number) => void = (response) => answerJson(response, 200, ACCEPTED),
  options: ClientOptions = {},
  begun: (request: IncomingMessage, response: ServerResponse, index: number) => void = () => {},
) {
  const arrivals: Arrival[] = [];
  const url = await httpServer((request, response) => {
    const index = arrivals.length;
    const chunks: Buffer[] = [];
    const arrival: Arrival = { url: request.url!, headers: request.headers, bytes: Buffer.alloc(0), whole: false };
    arrivals.push(arrival);
    request.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      arrival.bytes = Buffer.concat(chunks);
    });
    request.on("error", () => {});
    request.on("end", () => {
      arrival.whole = true;
      answer(response, index);
    });
    begun(request, response, index);
  });
  return { arrivals, notetaker: new Notetaker({ baseUrl: `${url}/v1`, token: TOKEN, ...options }) };
}

/** Bytes that differ from position to position, so that a displaced byte is found. */
export const bytesOfLength = (length: number) =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8)) % 251);
