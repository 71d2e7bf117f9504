/** The React page with TanStack Query in Chromium, and its server. The emulator is the service. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { build } from "esbuild";
import type { PageEnvelope, Room } from "notetaker-sdk";
import { aMeeting, aRoom, createEmulator } from "notetaker-sdk/testing";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { freePort } from "../../test/support/free-port.js";
import { examples, recipeFolder } from "./support/run-folder.js";
import { startProgram } from "./support/start-program.js";
import { typeErrors } from "./support/type-check.js";

const HTML = '<!doctype html><div id="app"></div><script type="module" src="/main.js"></script>';

type Rooms = InfiniteData<PageEnvelope<Room>>;

/** Runs in the page: whether a refetch with the same content keeps the data object. */
async function refetched(): Promise<{ pages: number; isSame: boolean }> {
  const { __TANSTACK_QUERY_CLIENT__: client } = window as unknown as { __TANSTACK_QUERY_CLIENT__: QueryClient };
  const before = client.getQueryData<Rooms>(["rooms"]);
  await client.refetchQueries({ queryKey: ["rooms"] });
  const after = client.getQueryData<Rooms>(["rooms"]);
  return { pages: after?.pages.length ?? 0, isSame: after === before };
}

/**
 * Runs in the page: changes a field of one room, and refetches. Returns the titles of the rooms that became other
 * objects.
 */
async function changedRooms(): Promise<string[]> {
  const { __TANSTACK_QUERY_CLIENT__: client } = window as unknown as { __TANSTACK_QUERY_CLIENT__: QueryClient };
  const rooms = () => client.getQueryData<Rooms>(["rooms"])!.pages.flatMap(({ data }) => data);
  client.setQueryData<Rooms>(["rooms"], (data) => ({
    ...data!,
    pages: data!.pages.map((page) => ({
      ...page,
      data: page.data.map((room) => (room.title === "Room 3" ? { ...room, title: "Room 3 as it was" } : room)),
    })),
  }));
  const before = rooms();
  await client.refetchQueries({ queryKey: ["rooms"] });
  return rooms()
    .filter((room, index) => room !== before[index])
    .map(({ title }) => title);
}

async function started() {
  const meeting = aMeeting({ id: "mtg_now", title: "Now", status: "processing" });
  const rooms = Array.from({ length: 25 }, (_, index) =>
    aRoom({ title: `Room ${index}`, meetings: index === 0 ? [meeting] : [] }),
  );
  const service = createEmulator({ seed: { rooms } });
  const { url, close } = await service.listen({ port: 0 });
  onTestFinished(close);
  const folder = recipeFolder("tanstack-query");
  cpSync(join(examples, "web-app/src/sentence-of.ts"), join(folder, "sentence-of.ts"));
  const config = { extends: join(examples, "tsconfig.json"), include: ["*.ts*"], exclude: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  expect(await typeErrors(folder)).toBe("");
  const { outputFiles } = await build({
    entryPoints: [join(folder, "main.tsx")],
    bundle: true,
    format: "esm",
    jsx: "automatic",
    write: false,
  });
  const origin = `http://127.0.0.1:${await freePort()}`;
  const env = { NOTETAKER_BASE_URL: url, NOTETAKER_TOKEN: service.token, PORT: new URL(origin).port };
  await startProgram(folder, "server.ts", env, origin);
  return { service, origin, program: outputFiles[0]!.text };
}

test("the React page reads a list by cursors, keeps unchanged data, and waits for a transcript", async (context) => {
  const browser = await launchBrowser(context);
  const { service, origin, program } = await started();
  const page = await browser.newPage();
  // Vite serves the page and its program, and passes /api on to the server.
  await page.route(`${origin}/`, (route) => route.fulfill({ contentType: "text/html", body: HTML }));
  await page.route("**/main.js", (route) => route.fulfill({ contentType: "text/javascript", body: program }));

  service.faults.next("GET /rooms", { status: 429, retryAfterSeconds: 120 });
  await page.goto(origin);
  await page.getByText("Too many requests. Try again in 120 s.").waitFor();

  await page.reload();
  const rooms = page.getByRole("listitem");
  await rooms.nth(19).waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await rooms.nth(24).waitFor();
  expect(await rooms.count()).toBe(25);
  expect(await page.getByRole("button", { name: "More" }).count()).toBe(0);
  expect(await page.evaluate(refetched)).toEqual({ pages: 2, isSame: true });
  expect(await page.evaluate(changedRooms)).toEqual(["Room 3"]);

  await page.getByRole("button", { name: "Now" }).click();
  await page.getByText("There is no transcript yet.").waitFor();
  await service.meetings.finish("mtg_now");
  await page.getByText("Ada").waitFor();
  expect(program).not.toContain(service.token);
});
