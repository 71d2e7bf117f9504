/** `xhrFetch` outside of a page. test/browser/xhr-fetch.test.ts tests it in a page. */
import { ConfigurationError } from "notetaker-sdk";
import { expect, it } from "vitest";

it("notetaker-sdk/browser can be imported in Node, and xhrFetch throws that it needs a page", async () => {
  const { xhrFetch } = await import("notetaker-sdk/browser");
  expect(() => xhrFetch()).toThrow(ConfigurationError);
  expect(() => xhrFetch()).toThrow(/needs a page: there is no XMLHttpRequest/);
});
