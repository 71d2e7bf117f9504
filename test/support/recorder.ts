/** A `fetch` that records its requests, and responds as the test says. No part of the client is replaced. */
import { type ClientOptions, type Fetch, type Middleware, Notetaker } from "notetaker-sdk";
import { asFetch } from "./as-fetch.js";

export const BASE_URL = "https://api.example.com/v1";
export const TOKEN = "tok_0123456789abcdef0123456789abcdef";

/** One request as `fetch` got it. */
export interface Seen {
  method: string;
  /** The path below the base URL, as it was sent. */
  path: string;
  query: [name: string, value: string][];
  /** The query as it was sent: `limit=5&cursor=c1`. */
  search: string;
  headers: Record<string, string>;
  body: string;
  request: Request;
}

/** Responds to one request; `index` is 0 for the first. */
export type Handler = (seen: Seen, index: number) => Response | Promise<Response>;

export interface Recorder {
  fetch: Fetch;
  seen: Seen[];
}

export function recorder(handler: Handler): Recorder {
  const seen: Seen[] = [];
  return {
    seen,
    fetch: asFetch(async (request) => {
      const url = new URL(request.url);
      const one: Seen = {
        method: request.method,
        path: request.url.slice(BASE_URL.length).split("?", 1)[0]!,
        query: [...url.searchParams],
        search: url.search.slice(1),
        headers: Object.fromEntries(request.headers),
        body: request.body === null ? "" : await request.clone().text(),
        request,
      };
      seen.push(one);
      return handler(one, seen.length - 1);
    }),
  };
}

export function clientOf(handler: Handler, options: ClientOptions = {}): Recorder & { notetaker: Notetaker } {
  const { fetch, seen } = recorder(handler);
  return { fetch, seen, notetaker: new Notetaker({ baseUrl: BASE_URL, token: TOKEN, fetch, ...options }) };
}

export const settingHeader =
  (name: string, value: string): Middleware =>
  (request, next) => {
    request.headers.set(name, value);
    return next(request);
  };

/** Responds to the requests in turn, and repeats the last response. */
export const inTurn =
  (...answers: (() => Response | Promise<Response>)[]): Handler =>
  (_, index) =>
    answers[Math.min(index, answers.length - 1)]!();

/** The error of a call that is not retried: of `webhooks.list`, unless another call is given. */
export async function failureOf(
  answer: Handler,
  options: ClientOptions = {},
  call: (notetaker: Notetaker) => PromiseLike<unknown> = ({ webhooks }) => webhooks.list(),
): Promise<Error & Record<string, unknown>> {
  const { notetaker } = clientOf(answer, { maxRetries: 0, ...options });
  return (await rejection(call(notetaker))) as Error & Record<string, unknown>;
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  json({ error: { code, message: `the service says ${code}` } }, status, headers);

/** The reason with which a promise rejects. Fails if the promise resolves. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("expected a rejection");
}

/** The reason with which a promise rejects, which must be of this class. */
export async function rejectionOf<E>(
  // biome-ignore lint/suspicious/noExplicitAny: a constructor with any arguments
  errorClass: abstract new (...args: any[]) => E,
  promise: PromiseLike<unknown>,
): Promise<E> {
  const error = await rejection(promise);
  if (!(error instanceof errorClass))
    throw new Error(`expected ${errorClass.name}, received ${error}`, { cause: error });
  return error;
}
