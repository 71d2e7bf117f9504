/** The edge function, bundled as its hosts bundle it, in a sandbox with exactly the features of an edge runtime. */
import { EdgeVM } from "@edge-runtime/vm";
import { build } from "esbuild";
import { aMeeting, createEmulator, type Emulator } from "notetaker-sdk/testing";
import { expect, onTestFinished, test } from "vitest";
import { recipeFolder } from "./support/run-folder.js";

type Captions = (path: string) => Promise<Response>;

async function edgeFunction(service: Emulator): Promise<Captions> {
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  const folder = recipeFolder("edge-function");
  const { outputFiles } = await build({
    stdin: {
      contents: 'import { captions } from "./captions.ts"; globalThis.captions = captions;',
      resolveDir: folder,
    },
    bundle: true,
    format: "iife",
    platform: "browser",
    conditions: ["edge-light", "worker"],
    write: false,
  });
  const vm = new EdgeVM({
    extend: (context) =>
      Object.assign(context, { process: { env: { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token } } }),
  });
  vm.evaluate(outputFiles[0]!.text);
  return (path) => vm.evaluate(`captions(new Request("https://example.com${path}"))`);
}

const shared = { id: "per_1", recipient: { type: "anyone" }, role: "read" };

test("the edge function returns captions only of shared meetings", async () => {
  const service = createEmulator({
    seed: { meetings: [aMeeting({ id: "mtg_shared", permissions: [shared] }), aMeeting({ id: "mtg_private" })] },
  });
  const captions = await edgeFunction(service);

  const response = await captions("/captions/mtg_shared.vtt");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/vtt; charset=utf-8");
  expect(await response.text()).toMatch(/^WEBVTT\n\n(.*\n)*\d\d:\d\d:\d\d\.\d{3} --> /);

  expect((await captions("/captions/mtg_private.vtt")).status).toBe(404);
  expect((await captions("/captions/mtg_unknown.vtt")).status).toBe(404);
  expect((await captions("/captions/..%2Fwebhooks.vtt")).status).toBe(404);

  service.faults.next("GET /meetings/:id/transcript", { status: 429, retryAfterSeconds: 7, times: 3 });
  const busy = await captions("/captions/mtg_shared.vtt");
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "7"]);
});
