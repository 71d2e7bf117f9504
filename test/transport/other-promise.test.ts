/** A program whose global `Promise` is that of Bluebird, set before the library is loaded. */
// @ts-expect-error: this version comes without types
import Bluebird from "bluebird";
import { beforeEach, expect, it, vi } from "vitest";
import { type clientOf as clientOfTests, json } from "../support/recorder.js";
import * as samples from "../support/samples.js";

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("Promise", Bluebird);
});

it("calls, their methods and lists work with Bluebird as the global Promise", async () => {
  const { clientOf } = (await import("../support/recorder.js")) as { clientOf: typeof clientOfTests };
  const { notetaker } = clientOf(({ path }) => json(path === "/rooms" ? samples.page([samples.room]) : []), {
    throttle: true,
  });
  expect(Promise).toBe(Bluebird);
  const call = notetaker.webhooks.list();
  expect(await call.then((webhooks) => webhooks.length).finally(() => {})).toBe(0);
  expect((await call.withResponse()).response.status).toBe(200);
  expect(await Promise.all([notetaker.webhooks.list(), notetaker.rooms.list().toArray({ max: 5 })])).toEqual([
    [],
    [expect.objectContaining({ id: samples.room.id })],
  ]);
});
