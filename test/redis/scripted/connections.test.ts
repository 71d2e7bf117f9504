/** How each kind of Redis client is recognised by its methods, and used. */
import { EventEmitter } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { ConfigurationError } from "../../../src/errors/argument-errors.js";
import { recogniseClient } from "../../../src/redis/connection/recognise-client.js";

const nodeRedis = (fields: object = {}) => ({
  isOpen: true,
  on() {},
  sendCommand: vi.fn(async (..._args: unknown[]) => "answer"),
  ...fields,
});

const ioredis = (fields: object = {}) => ({
  status: "ready",
  on() {},
  duplicate() {},
  call: vi.fn(async (..._args: unknown[]) => "answer"),
  ...fields,
});

const without = (client: object, name: string) =>
  Object.fromEntries(Object.entries(client).filter(([key]) => key !== name));

describe("a value that is passed as a client", () => {
  it.each<[what: string, value: unknown, received: string]>([
    ["undefined", undefined, "nothing"],
    ["null", null, "null"],
    ["a URL", "redis://localhost", "a string"],
    ["a function", () => {}, "a function"],
    ["the package redis without sendCommand", without(nodeRedis(), "sendCommand"), "an object"],
    ["the package redis without on", without(nodeRedis(), "on"), "an object"],
    ["the package redis of version 3, without isOpen", without(nodeRedis(), "isOpen"), "an object"],
    ["ioredis without call", without(ioredis(), "call"), "an object"],
    ["ioredis without duplicate", without(ioredis(), "duplicate"), "an object"],
    ["ioredis without on", without(ioredis(), "on"), "an object"],
    ["ioredis without status", without(ioredis(), "status"), "an object"],
    ["a sendCommand that is not a function", nodeRedis({ sendCommand: true }), "an object"],
  ])("causes an error that says what was received instead: %s", (_, value, received) => {
    expect(() => recogniseClient("redisDedupe", value)).toThrow(
      new ConfigurationError(
        "redisDedupe: redis: expected a client of the package redis or ioredis, version 5 or later, " +
          `received ${received}`,
      ),
    );
  });

  it("is used as ioredis if it has a sendCommand, too", async () => {
    const client = ioredis({ isOpen: true, sendCommand: () => expect.fail("not this one") });
    expect(await recogniseClient("x", client).send("key", ["GET", "key"])).toBe("answer");
    expect(client.call.mock.calls).toEqual([["GET", "key"]]);
  });
});

describe("a client of the package redis", () => {
  const command = ["GET", "key"];

  it.each<[what: string, fields: object, call: unknown[]]>([
    ["a client", { duplicate() {} }, [command]],
    ["a pool", {}, [command]],
    ["a Cluster", { nodeClient() {}, duplicate() {} }, ["key", false, command]],
    ["a Sentinel", { getMasterNode() {}, duplicate() {} }, [false, command]],
  ])("gets each command in its own form, for the primary server: %s", async (_, fields, call) => {
    const client = nodeRedis(fields);
    expect(await recogniseClient("x", client).send("key", command)).toBe("answer");
    expect(client.sendCommand.mock.calls).toEqual([call]);
    expect(client.sendCommand.mock.contexts).toEqual([client]);
  });

  it.each<[what: string, fields: object, opens: boolean]>([
    ["a client", { duplicate() {} }, true],
    ["a pool", {}, false],
    ["a Cluster", { nodeClient() {}, duplicate() {} }, false],
    ["a Sentinel", { getMasterNode() {}, duplicate() {} }, false],
  ])("opens a waiting connection only if it is a client of one server: %s", (_, fields, opens) => {
    expect(recogniseClient("x", nodeRedis(fields)).openBlocking !== undefined).toBe(opens);
  });

  it.each<[fields: object, isReady: boolean]>([
    [{ isReady: true, isOpen: true }, true],
    [{ isReady: false, isOpen: true }, false],
    [{ isOpen: true }, true],
    [{ isOpen: false }, false],
  ])("is ready by isReady, or by isOpen if it has no isReady: %j", (fields, isReady) => {
    expect(recogniseClient("x", nodeRedis(fields)).isReady()).toBe(isReady);
  });

  it("is duplicated without reconnecting for a waiting connection, which closes at once", async () => {
    const own = Object.assign(new EventEmitter(), {
      connect: vi.fn(async () => {}),
      destroy: vi.fn(),
      sendCommand: vi.fn(async (_args: unknown) => "entries"),
    });
    const duplicate = vi.fn((_options: object) => own);
    const client = nodeRedis({ duplicate, options: { socket: { host: "redis.internal" }, database: 3 } });
    const blocking = await recogniseClient("x", client).openBlocking?.();
    expect(duplicate.mock.calls).toEqual([[{ socket: { host: "redis.internal", reconnectStrategy: false } }]]);
    expect(duplicate.mock.contexts).toEqual([client]);
    expect(own.connect).toHaveBeenCalledOnce();
    // An error event without a listener would crash the process.
    expect(() => own.emit("error", new Error("lost"))).not.toThrow();
    expect(await blocking?.send(["XREAD"])).toBe("entries");
    expect(own.sendCommand.mock.calls).toEqual([[["XREAD"]]]);
    blocking?.close();
    expect(own.destroy).toHaveBeenCalledOnce();
    own.destroy.mockImplementation(() => {
      throw new Error("it was closed before");
    });
    expect(() => blocking?.close()).not.toThrow();
  });

  it("is duplicated even if it has no options", async () => {
    const own = Object.assign(new EventEmitter(), { connect: async () => {} });
    const duplicate = vi.fn((_options: object) => own);
    await recogniseClient("x", nodeRedis({ duplicate })).openBlocking?.();
    await recogniseClient("x", nodeRedis({ duplicate, options: {} })).openBlocking?.();
    const options = { socket: { reconnectStrategy: false } };
    expect(duplicate.mock.calls).toEqual([[options], [options]]);
  });
});

describe("a client of ioredis", () => {
  it.each<[status: string, isReady: boolean]>([
    ["ready", true],
    ["wait", true],
    ["connecting", false],
    ["reconnecting", false],
    ["end", false],
    ["", false],
  ])("is ready if it is connected or waits for its first command: %s", (status, isReady) => {
    expect(recogniseClient("x", ioredis({ status })).isReady()).toBe(isReady);
  });

  it("opens no waiting connection if it is a Cluster", () => {
    expect(recogniseClient("x", ioredis({ isCluster: true })).openBlocking).toBeUndefined();
    expect(recogniseClient("x", ioredis({ isCluster: false })).openBlocking).toBeTypeOf("function");
    expect(recogniseClient("x", ioredis()).openBlocking).toBeTypeOf("function");
  });

  /** A client whose duplicate is controlled by the test. */
  function duplicated(status: string) {
    const own = Object.assign(new EventEmitter(), {
      status,
      connect: vi.fn(async () => {}),
      disconnect: vi.fn(),
      call: vi.fn(async (..._args: unknown[]) => "entries"),
    });
    const duplicate = vi.fn((_options: object) => own);
    const client = ioredis({ duplicate });
    return { own, duplicate, client, opening: recogniseClient("x", client).openBlocking?.() };
  }

  it("is duplicated without reconnecting for a waiting connection, which closes at once", async () => {
    const { own, duplicate, client, opening } = duplicated("connecting");
    expect(duplicate.mock.calls).toEqual([
      [{ retryStrategy: null, maxRetriesPerRequest: 0, commandTimeout: undefined }],
    ]);
    expect(duplicate.mock.contexts).toEqual([client]);
    expect(own.connect).not.toHaveBeenCalled();
    expect(() => own.emit("error", new Error("lost"))).not.toThrow();
    own.emit("ready");
    const blocking = await opening;
    expect(await blocking?.send(["XREAD", "BLOCK", "1"])).toBe("entries");
    expect(own.call.mock.calls).toEqual([["XREAD", "BLOCK", "1"]]);
    blocking?.close();
    expect(own.disconnect).toHaveBeenCalledOnce();
  });

  it("connects its duplicate if the duplicate does not connect by itself", async () => {
    const { own, opening } = duplicated("wait");
    expect(own.connect).toHaveBeenCalledOnce();
    own.emit("ready");
    await opening;
  });

  it("causes an error if its duplicate ends before it is ready", async () => {
    const { own, opening } = duplicated("connecting");
    own.emit("end");
    await expect(opening).rejects.toThrow("the connection could not be opened");
  });
});
