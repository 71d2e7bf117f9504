/** A service that returns links, and a storage for them. Each turn describes the response to one storage request. */

import { type ClientOptions, Notetaker } from "notetaker-sdk";
import { asFetch } from "../../support/as-fetch.js";
import { lostConnection } from "../../support/failures.js";
import { BASE_URL, json, refusal, TOKEN } from "../../support/recorder.js";

export const MEETING = "mtg_rec1";

export interface Entity {
  bytes: Uint8Array;
  etag?: string | undefined;
  lastModified?: string | undefined;
}

/** How one request is answered. With an empty turn the storage works correctly. */
export interface Turn {
  /** The storage responds with this status, as for an expired link. */
  status?: number;
  unreachable?: boolean;
  /** From this request on, the storage has another file. */
  change?: Entity;
  /** The storage ignores Range and sends the whole file. */
  ignoreRange?: boolean;
  /**
   * The part starts this many bytes after the requested byte (before it, if negative), and its Content-Range says so.
   */
  shift?: number;
  /** Headers to add, or to remove if the value is `undefined`. */
  headers?: Record<string, string | undefined>;
  /** The connection breaks after this many bytes of the body. */
  dropAfter?: number;
  /** The body ends after this many bytes, as if it were complete. */
  endAfter?: number;
  surplus?: number;
  /** The body stops after this many bytes, while the connection stays open. */
  stallAfter?: number;
}

export interface StorageRequest {
  url: string;
  headers: Record<string, string>;
}

const terminated = () => new TypeError("terminated", { cause: new Error("other side closed") });

/** `bytes` in chunks of different sizes, up to the end that the turn sets. */
function bodyOf(bytes: Uint8Array, { dropAfter, endAfter, surplus = 0, stallAfter }: Turn): ReadableStream<Uint8Array> {
  const stop = Math.min(
    dropAfter ?? Number.POSITIVE_INFINITY,
    endAfter ?? Number.POSITIVE_INFINITY,
    stallAfter ?? Number.POSITIVE_INFINITY,
  );
  const given = new Uint8Array([...bytes, ...new Uint8Array(surplus)]).subarray(0, stop);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < given.length) {
        const piece = given.slice(at, at + 1 + ((at * 7) % 5));
        at += piece.length;
        controller.enqueue(piece);
      } else if (stop === dropAfter) controller.error(terminated());
      else if (stop !== stallAfter) controller.close();
      else return new Promise(() => {});
    },
  });
}

/**
 * A client of such a service. `link(n)` is the n-th link that the service returns; by default it is on another host.
 */
export function storage(
  first: Entity,
  turns: Turn[] = [],
  {
    baseUrl = BASE_URL,
    link = (n: number) => `https://storage.example.net/r/${n}?signature=s3cret${n}`,
    validatorIn416 = false,
    refuse = () => undefined,
    ...options
  }: ClientOptions & {
    link?: (n: number) => string | null;
    /** Whether a 416 has the ETag and the date of the file. */
    validatorIn416?: boolean;
    /** The response of the service to a request for a link, if it returns no link. */
    refuse?: (request: Request) => Response | undefined;
  } = {},
) {
  let entity = first;
  let links = 0;
  const requests: StorageRequest[] = [];
  const toService: Request[] = [];

  const fetch = async (request: Request): Promise<Response> => {
    if (request.url.startsWith(baseUrl)) {
      toService.push(request);
      const refused = refuse(request);
      if (refused !== undefined) return refused;
      if (!request.url.endsWith(`/meetings/${MEETING}/recording`)) return refusal(404, "not_found");
      links += 1;
      return json({ meeting_id: MEETING, recording_url: link(links) });
    }
    requests.push({ url: request.url, headers: Object.fromEntries(request.headers) });
    const turn = turns.shift() ?? {};
    if (turn.change) entity = turn.change;
    if (turn.unreachable) throw lostConnection("ECONNRESET");
    if (turn.status !== undefined) return new Response(`refused: ${request.url}`, { status: turn.status });

    const { bytes, etag, lastModified } = entity;
    const validators: Record<string, string> = {
      ...(etag === undefined ? {} : { etag }),
      ...(lastModified === undefined ? {} : { "last-modified": lastModified }),
    };
    const asked = /^bytes=(\d+)-$/.exec(request.headers.get("range") ?? "")?.[1];
    const part = asked !== undefined && !turn.ignoreRange;
    const start = part ? Math.min(Math.max(0, Number(asked) + (turn.shift ?? 0)), bytes.length) : 0;
    if (part && start >= bytes.length) {
      const headers = { "content-range": `bytes */${bytes.length}`, ...(validatorIn416 ? validators : {}) };
      return new Response(null, { status: 416, headers });
    }
    const headers = new Headers({
      "content-type": "video/mp4",
      "content-length": String(bytes.length - start),
      ...validators,
      ...(part ? { "content-range": `bytes ${start}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    for (const [name, value] of Object.entries(turn.headers ?? {})) {
      if (value === undefined) headers.delete(name);
      else headers.set(name, value);
    }
    return new Response(bodyOf(bytes.subarray(start), turn), { status: part ? 206 : 200, headers });
  };

  const notetaker = new Notetaker({ baseUrl, token: TOKEN, fetch: asFetch(fetch), ...options });
  return { notetaker, requests, toService };
}

export async function gathered(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
