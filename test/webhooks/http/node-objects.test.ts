/**
 * `toNodeListener` with request and response objects of other servers: HTTP/2, serverless adapters, frameworks. The
 * tests control what these objects do, and when.
 */
import { EventEmitter } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { type NodeRequest, type NodeResponse, toNodeListener } from "../../../src/webhooks/http/node-listener.js";

/** A request with `fields`, whose body the test sends as events. */
function requestOf(fields: Partial<NodeRequest> = {}) {
  const { headers = {}, ...others } = fields;
  return Object.assign(new EventEmitter(), { ...others, headers, pause: vi.fn(), resume: vi.fn() });
}

/** A response that records what is sent. */
function responseOf() {
  const headers: [string, string][] = [];
  const chunks: string[] = [];
  const response = Object.assign(new EventEmitter(), {
    statusCode: 0,
    writableFinished: false,
    setHeader: (name: string, value: string) => void headers.push([name, value]),
    appendHeader: (name: string, value: string) => void headers.push([`${name} too`, value]),
    write: vi.fn((chunk: Uint8Array) => {
      chunks.push(new TextDecoder().decode(chunk));
      return true;
    }),
    end: vi.fn(),
    destroy: vi.fn(),
  });
  return { response: response as typeof response & NodeResponse, headers, chunks };
}

/** The request that the handler gets, and the status of the response. */
async function pass(fields: Partial<NodeRequest>) {
  const { response } = responseOf();
  let seen: Request | undefined;
  await toNodeListener((request) => {
    seen = request;
    return new Response();
  })(requestOf(fields), response);
  return { seen, status: response.statusCode };
}

/** A turn of the event loop, in which streams continue. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("a request object", () => {
  it("a request without any fields is a GET of the root of localhost", async () => {
    const { seen, status } = await pass({});
    expect([seen?.method, seen?.url, status]).toEqual(["GET", "http://localhost/", 200]);
  });

  it("the pseudo-headers of HTTP/2 set the host, and are not passed on as headers", async () => {
    const headers = { ":method": "GET", ":path": "/x", ":authority": "app.example.com", "x-a": "1" };
    const { seen } = await pass({ url: "/x", headers });
    expect(seen?.url).toBe("http://app.example.com/x");
    expect(Object.fromEntries(seen?.headers ?? [])).toEqual({ "x-a": "1" });
  });

  it("a header may have several values, or no value", async () => {
    const { seen } = await pass({ headers: { "x-several": ["1", "2"], "x-none": undefined } });
    expect(Object.fromEntries(seen?.headers ?? [])).toEqual({ "x-several": "1, 2" });
  });

  it("a target that does not begin with a path gets the path /", async () => {
    expect((await pass({ url: "?x=1" })).seen?.url).toBe("http://localhost/?x=1");
    expect((await pass({ url: "x" })).seen?.url).toBe("http://localhost/");
  });

  it("Express's originalUrl is used instead of the URL inside a router", async () => {
    expect((await pass({ url: "/b", originalUrl: "/a/b" })).seen?.url).toBe("http://localhost/a/b");
  });

  it("a Host header that is a list is answered with 400", async () => {
    expect(await pass({ headers: { host: ["app.example.com"] } })).toEqual({ seen: undefined, status: 400 });
  });

  it.each(["GET", "HEAD"])("a %s request has no body", async (method) => {
    const { seen, status } = await pass({ method });
    expect([seen?.body, status]).toEqual([null, 200]);
  });
});

describe("the body of a request object", () => {
  /** Starts a POST whose handler calls `read`, and waits until the handler runs. */
  async function post<T>(fields: Partial<NodeRequest>, read: (request: Request) => Promise<T>) {
    const request = requestOf({ method: "POST", ...fields });
    const reading = new Promise<T>((resolve, reject) => {
      const listener = toNodeListener(async (seen) => {
        await read(seen).then(resolve, reject);
        return new Response();
      });
      void listener(request, responseOf().response);
    });
    reading.catch(() => {});
    await turn();
    return { request, reading };
  }

  it("a body that the handler does not read is not touched", async () => {
    const { request, reading } = await post({}, async () => turn());
    await reading;
    expect(request.resume).not.toHaveBeenCalled();
    expect(request.eventNames()).toEqual([]);
  });

  it("a body that was read before is refused, and the error says how to get the raw body", async () => {
    const { reading } = await post({ readableDidRead: true }, (seen) => seen.text());
    await expect(reading).rejects.toMatchObject({ reason: "parsed_body" });
  });

  it("a body fails if the client disconnects before or while it is read", async () => {
    const { request, reading } = await post({}, (seen) => seen.text());
    request.emit("data", Buffer.from("half"));
    request.emit("close");
    expect(() => request.emit("end")).not.toThrow();
    await expect(reading).rejects.toThrow("aborted");
    const gone = await post({ destroyed: true }, (seen) => seen.text());
    await expect(gone.reading).rejects.toThrow("aborted");
  });

  it("the rest of a cancelled body is read and dropped", async () => {
    const { request, reading } = await post({}, async (seen) => {
      const reader = seen.body!.getReader();
      await reader.read();
      await reader.cancel();
    });
    request.emit("data", Buffer.from("a"));
    await reading;
    const resumed = request.resume.mock.calls.length;
    expect(resumed).toBeGreaterThan(request.pause.mock.calls.length);
    expect(() => request.emit("data", Buffer.from("b"))).not.toThrow();
    expect(request.pause).toHaveBeenCalledTimes(1);
    expect(() => request.emit("end")).not.toThrow();
  });
});

describe("a response object", () => {
  const answerWith = (answer: Response | (() => Promise<Response>)) => {
    const recorded = responseOf();
    const signals: AbortSignal[] = [];
    const sending = toNodeListener((request) => {
      signals.push(request.signal);
      return typeof answer === "function" ? answer() : answer;
    })(requestOf(), recorded.response);
    return { ...recorded, sending, signals };
  };

  /** A body that the test writes. */
  function bodyOf() {
    let controller!: ReadableStreamDefaultController<Uint8Array>;
    const cancelled = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      start(given) {
        controller = given;
      },
      cancel: cancelled,
    });
    const send = (text: string) => controller.enqueue(Buffer.from(text));
    return { body, send, end: () => controller.close(), fail: () => controller.error(new Error("broken")), cancelled };
  }

  it("a slow reader gets the next chunk after it has taken the last one", async () => {
    const { body, send, end } = bodyOf();
    const { response, chunks, sending } = answerWith(new Response(body));
    response.write.mockImplementation((chunk) => {
      chunks.push(new TextDecoder().decode(chunk));
      return false;
    });
    send("a");
    send("b");
    end();
    await turn();
    expect(chunks).toEqual(["a"]);
    response.emit("drain");
    await turn();
    expect(chunks).toEqual(["a", "b"]);
    expect(response.end).not.toHaveBeenCalled();
    response.emit("drain");
    await sending;
    expect(response.end).toHaveBeenCalledOnce();
  });

  it("a body that fails closes the connection, even while the reader is slow", async () => {
    for (const isSlow of [false, true]) {
      const { body, send, fail } = bodyOf();
      const { response, sending } = answerWith(new Response(body));
      if (isSlow) response.write.mockReturnValue(false);
      send("half");
      await turn();
      fail();
      await turn();
      await vi.waitFor(() => expect(response.destroy).toHaveBeenCalled(), 10_000);
      response.emit("close");
      await sending;
      expect(response.end).not.toHaveBeenCalled();
    }
  });

  it("a client that disconnects aborts the signal, cancels the body and ends the sending", async () => {
    for (const isSlow of [false, true]) {
      const { body, send, cancelled } = bodyOf();
      const { response, sending, signals } = answerWith(new Response(body));
      if (isSlow) response.write.mockReturnValue(false);
      send("half");
      await turn();
      response.emit("close");
      await sending;
      expect(signals[0]?.aborted).toBe(true);
      expect(cancelled).toHaveBeenCalledOnce();
    }
  });

  it("a body is cancelled and not sent if the client disconnected before the handler returned it", async () => {
    const { body, cancelled } = bodyOf();
    const { response, chunks, sending } = answerWith(async () => {
      await turn();
      return new Response(body);
    });
    response.emit("close");
    await sending;
    expect(cancelled).toHaveBeenCalledOnce();
    expect([chunks, response.end.mock.calls.length]).toEqual([[], 0]);
    await vi.waitFor(() => expect(response.destroy).toHaveBeenCalled(), 10_000);
  });

  it("the end of a connection after the whole response does not abort the signal", async () => {
    const { response, sending, signals } = answerWith(new Response());
    await sending;
    response.writableFinished = true;
    response.emit("close");
    expect(signals[0]?.aborted).toBe(false);
  });
});
