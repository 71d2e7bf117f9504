import type { ClientOptions } from "../transport/client-options.js";
import { VERSION } from "./version.js";

interface Globals {
  readonly navigator?: { readonly userAgent?: unknown };
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> };
  readonly Deno?: { readonly version?: { readonly deno?: string } };
  readonly EdgeRuntime?: unknown;
}

/** For example `node/22.1.0`; `undefined` in a browser, which sends its own `User-Agent`. */
function runtimeName(globals: Globals): string | undefined {
  const agent = globals.navigator?.userAgent;
  if (agent === "Cloudflare-Workers") return "workerd";
  if (globals.Deno?.version?.deno !== undefined) return `deno/${globals.Deno.version.deno}`;
  const versions = globals.process?.versions;
  if (versions?.bun !== undefined) return `bun/${versions.bun}`;
  if (versions?.node !== undefined) return `node/${versions.node}`;
  if (globals.EdgeRuntime !== undefined) return "edge-runtime";
  return undefined;
}

/** Replaces the characters that a header cannot contain: the name of an application may be in any script. */
const toHeaderText = (text: string) => text.replace(/[^\x20-\x7e]/g, "?");

/** For example `notetaker-sdk/1.0.0 (node/22.1.0) my-app/2.0`; `undefined` in a browser. */
export function userAgent(appInfo: ClientOptions["appInfo"]): string | undefined {
  const runtime = runtimeName(globalThis as Globals);
  if (runtime === undefined) return undefined;
  const library = `notetaker-sdk/${VERSION} (${runtime})`;
  if (appInfo === undefined) return library;
  const application = appInfo.version === undefined ? appInfo.name : `${appInfo.name}/${appInfo.version}`;
  return toHeaderText(`${library} ${application}`);
}
