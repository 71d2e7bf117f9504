/**
 * A page that uploads a recording and shows its progress: `npx tsx examples/upload-page/server.ts`.
 *
 * The page never gets the service's token: this server forwards the page's requests and adds the token. The emulator
 * takes the place of the service. With the live service, `serviceFetch` is `fetch`, and the URL and the token come from
 * the environment.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { createEmulator, type Emulator } from "notetaker-sdk/testing";
import { toNodeListener } from "notetaker-sdk/webhooks";

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const FILES: Record<string, [file: string, type: string]> = {
  "/": ["index.html", "text/html; charset=utf-8"],
  "/style.css": ["style.css", "text/css; charset=utf-8"],
};

export const demoService = (): Emulator =>
  createEmulator({ now: Date.now, life: { transcribeMs: 2_000, summariseMs: 1_000 } });

/** In a clone of the library's repository the package is not installed, and this file leads to its source. */
const tsconfig = existsSync(here("../node_modules/notetaker-sdk")) ? undefined : here("../../tsconfig.json");

/** The page's script and its imports, bundled into one file. */
async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [here("page.ts")],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    ...(tsconfig && { tsconfig }),
  });
  return outputFiles[0]?.text ?? "";
}

export interface UploadPage {
  url: string;
  close(): Promise<void>;
}

export async function startUploadPage({ port = 4021, service = demoService() } = {}): Promise<UploadPage> {
  const program = await bundlePage();
  const serviceFetch = service.fetch;

  /** A real application checks here that the user is logged in. */
  function passOn(request: Request, path: string): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${service.token}`);
    for (const name of ["host", "connection", "content-length"]) headers.delete(name);
    // The body is streamed, which requires `duplex`; TypeScript's DOM types do not have it.
    const init: RequestInit & { duplex: "half" } = {
      method: request.method,
      headers,
      body: request.body,
      duplex: "half",
    };
    return serviceFetch(`${service.baseUrl}${path}`, init);
  }

  async function handle(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith("/v1/")) return passOn(request, `${pathname.slice("/v1".length)}${search}`);
    if (pathname === "/page.js") return new Response(program, { headers: { "Content-Type": "text/javascript" } });
    const [file, type] = FILES[pathname] ?? [];
    if (!file || !type) return new Response("not found", { status: 404 });
    return new Response(await readFile(here(file)), { headers: { "Content-Type": type } });
  }

  const server = createServer(toNodeListener(handle));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { url } = await startUploadPage();
  console.log(`Upload a recording: ${url}`);
}
