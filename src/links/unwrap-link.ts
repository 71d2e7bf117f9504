/** The links that mail programs put in place of others, and what is inside them. */
import { decodeText } from "./decode-text.js";

interface Wrapper {
  /** The host, as the source of a regular expression. Subdomains of it count as well. */
  readonly host: string;
  /** The parameters of which one has the link inside. */
  readonly parameters: readonly string[];
  readonly path?: string;
}

const WRAPPERS: readonly Wrapper[] = [
  // Outlook, in each of Microsoft's clouds, and Teams.
  {
    host: "safelinks\\.protection\\.[a-z0-9.]{2,24}|statics\\.teams\\.cdn\\.office\\.net",
    parameters: ["url"],
  },
  { host: "google\\.[a-z.]{2,6}", parameters: ["q", "url"], path: "/url" },
];

/** The hosts of links that wrap another, as the sources of regular expressions. */
export const wrapperHosts = (): string[] => WRAPPERS.map(({ host }) => host);

const wrapperAt = (hostname: string): Wrapper | undefined =>
  WRAPPERS.find(({ host }) => new RegExp(`(^|\\.)(?:${host})$`, "i").test(hostname));

export const isWrapper = (hostname: string): boolean => wrapperAt(hostname) !== undefined;

export function unwrapped({ hostname, pathname, searchParams }: URL): string | undefined {
  const wrapper = wrapperAt(hostname);
  if (wrapper === undefined || (wrapper.path ?? pathname) !== pathname) return undefined;
  const inside = wrapper.parameters.map((name) => searchParams.get(name)).find(Boolean);
  return inside ? decodeText(inside) : undefined;
}
