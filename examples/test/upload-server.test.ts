/** The server's half of an upload (examples/upload-server) on node:http, before a service that reads slowly. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeListener } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { httpServer } from "../../test/support/servers.js";

/** The requests of the service, each as soon as it begins. */
function serviceOf() {
  const requests: [IncomingMessage, ServerResponse][] = [];
  let onRequest = () => {};
  const next = async () => {
    while (requests.length === 0) {
      await new Promise<void>((resolve) => {
        onRequest = resolve;
      });
    }
    return requests.shift() as [IncomingMessage, ServerResponse];
  };
  const started = httpServer((request, response) => {
    request.on("error", () => {});
    requests.push([request, response]);
    onRequest();
  });
  return { started, next };
}

let service: ReturnType<typeof serviceOf>;
beforeEach(async () => {
  vi.resetModules();
  service = serviceOf();
  vi.stubEnv("NOTETAKER_BASE_URL", `${await service.started}/v1`);
  vi.stubEnv("NOTETAKER_TOKEN", "tok_server");
  onTestFinished(() => void vi.unstubAllEnvs());
});

describe("the route for uploads", () => {
  /** An upload from a page, which writes one piece after the other. */
  async function upload() {
    const { PUT } = await import("../upload-server/route.js");
    const origin = await httpServer(toNodeListener(PUT));
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const page = new AbortController();
    const headers = { "content-type": "audio/wav" };
    const init = { method: "PUT", headers, body: readable, duplex: "half", signal: page.signal };
    const answer = fetch(`${origin}/api/recordings?title=Weekly`, init as RequestInit);
    const writer = writable.getWriter();
    await writer.write(new Uint8Array(100_000));
    const [request, response] = await service.next();
    return { answer, writer, page, request, response };
  }

  it("passes each piece of the body on before the next one exists, and answers as the service does", async () => {
    const { answer, writer, request, response } = await upload();
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
    });
    const ended = once(request, "end");
    await once(request, "data");
    await writer.write(new Uint8Array(100_000));
    await writer.close();
    await ended;
    expect(bytes).toBe(200_000);
    expect(request.url).toContain("title=Weekly");
    expect(request.headers).toMatchObject({ authorization: "Bearer tok_server", "content-type": "audio/wav" });
    response.writeHead(200, { "content-type": "application/json" }).end('{"id":"mtg_up1","status":"processing"}');
    expect(await (await answer).json()).toEqual({ id: "mtg_up1", status: "processing" });
  });

  it("passes a refusal on as an error without a secret", async () => {
    const { answer, writer, request, response } = await upload();
    await writer.close();
    request.resume();
    await once(request, "end");
    response.writeHead(400, { "content-type": "application/json" });
    response.end('{"error":{"code":"bad_request","message":"tok_server is not welcome"}}');
    const refusal = await answer;
    const text = await refusal.text();
    expect(refusal.status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { name: "BadRequestError", outcome: "rejected" } });
    expect(text).not.toContain("tok_server");
  });

  it("ends the upload to the service when the page aborts it", async () => {
    const { answer, page, request } = await upload();
    // Not `once`, which rejects with the error of the broken connection.
    const closed = new Promise((resolve) => request.resume().on("close", resolve));
    page.abort();
    await answer.catch(() => {});
    await closed;
    expect(request.complete).toBe(false);
  });
});
