/** The links that mail programs put in place of others, and what is inside them. */
import { fromBase64Url } from "../json/base64url.js";
import { orUndefined } from "../json/or-undefined.js";
import { decodeText } from "./decode-text.js";

interface Wrapper {
  /** The host, as the source of a regular expression. Subdomains of it count as well. */
  readonly host: string;
  /** The link inside, as far as it can be read. */
  inside(url: URL, link: string): string | null | undefined;
}

const parameter =
  (...names: string[]) =>
  ({ searchParams }: URL) =>
    names.map((name) => searchParams.get(name)).find(Boolean);

const WRAPPERS: readonly Wrapper[] = /* @__PURE__ */ (() => [
  // Outlook, in each of Microsoft's clouds, and Teams.
  { host: "safelinks\\.protection\\.[a-z0-9.]{2,24}", inside: parameter("url") },
  { host: "statics\\.teams\\.cdn\\.office\\.net", inside: parameter("url") },
  {
    host: "google\\.[a-z.]{2,6}",
    inside: (url: URL) => (url.pathname === "/url" ? parameter("q", "url")(url) : undefined),
  },
  { host: "urldefense(?:\\.proofpoint)?\\.(?:com|us)", inside: inUrlDefense },
])();

/** The hosts of links that wrap another, as the sources of regular expressions. */
export const wrapperHosts = (): string[] => WRAPPERS.map(({ host }) => host);

const wrapperAt = (hostname: string): Wrapper | undefined =>
  WRAPPERS.find(({ host }) => new RegExp(`(^|\\.)(?:${host})$`, "i").test(hostname));

/** Whether links to this host wrap another. */
export const isWrapper = (hostname: string): boolean => wrapperAt(hostname) !== undefined;

/** The link inside `link` (as parsed, `url`), or `undefined` if `link` does not wrap another. */
export function unwrapped(link: string, url: URL): string | undefined {
  const inside = wrapperAt(url.hostname)?.inside(url, link);
  return inside ? decodeText(inside) : undefined;
}

/** Proofpoint's URL Defense, in its three versions. */
function inUrlDefense(url: URL, link: string): string | undefined {
  const [, version] = /^\/v([123])\//.exec(url.pathname) ?? [];
  if (version === "3") return inVersion3(link);
  const inside = url.searchParams.get("u") ?? undefined;
  if (version !== "2") return inside;
  const encoded = inside?.replaceAll("-", "%").replaceAll("_", "/");
  return encoded && orUndefined(() => decodeURIComponent(encoded));
}

/** `**X` in a link of version 3 stands for a run of as many characters as `X` says: from 2 on. */
const RUN_LENGTHS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** In version 3, each `*` stands for a character of the list behind the link: `__https://…*…__;LIST!!SIGNATURE$`. */
function inVersion3(link: string): string | undefined {
  const [, inside, list = ""] = /\/v3\/__(.+?)__;([\w-]*)!/.exec(link) ?? [];
  const characters = [...(fromBase64Url(list) ?? "")];
  let used = 0;
  return inside?.replace(/^(https?:\/)(?!\/)/i, "$1/").replace(/\*(?:\*([\w-]))?/g, (_, run?: string) => {
    const from = used;
    used += run === undefined ? 1 : RUN_LENGTHS.indexOf(run) + 2;
    return characters.slice(from, used).join("");
  });
}
