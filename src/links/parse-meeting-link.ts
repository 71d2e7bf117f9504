/** Finds a join link in a text, each step in linear time: decodes the text, cuts links out of it, and unwraps them. */
import { CONFERENCE_HOSTS, type ConferenceService, isAt, serviceOfHost } from "./conference-link.js";
import { decodeText } from "./decode-text.js";
import { httpUrl } from "./http-url.js";
import { isJoinLink } from "./join-paths.js";
import { isWrapper, unwrapped, wrapperHosts } from "./unwrap-link.js";

/** A join link that was found in a text. */
export interface MeetingLink {
  /** The conference service that the link belongs to; `"other"` for a link to one of the `conferenceHosts`. */
  service: ConferenceService | "other";
  /** The link, unwrapped: pass it to `meetings.sendBot` as `meeting_url`. */
  url: string;
}

/** Options of {@link parseMeetingLink}. */
export interface MeetingLinkOptions {
  /** Further hosts (and their subdomains) whose links are join links, as in the client's option of this name. */
  conferenceHosts?: readonly string[] | undefined;
}

/**
 * The first join link in a text (a calendar entry, an email, a chat message), or `undefined` if there is none. Decodes
 * HTML entities and the escapes of Markdown, JSON and calendar files, and unwraps the links of Outlook's SafeLinks,
 * `google.com/url` and Proofpoint's URL Defense. A link of which a part is missing is not returned, and neither are
 * links to dial-in numbers, meeting options and help pages.
 *
 * @example
 * const link = parseMeetingLink(event.description);
 * if (link) await notetaker.meetings.sendBot({ meeting_url: link.url });
 *
 * @throws TypeError if `conferenceHosts` is not a list.
 */
export function parseMeetingLink(text: string, options: MeetingLinkOptions = {}): MeetingLink | undefined {
  const hosts = options.conferenceHosts ?? [];
  if (!Array.isArray(hosts)) throw new TypeError("conferenceHosts: expected a list of hosts");
  if (typeof text !== "string") return undefined;
  const source = decodeText(text);
  const beginnings = beginningsIn(source, hosts);
  let searchedUntil = 0;
  for (const [index, start] of beginnings.entries()) {
    if (start < searchedUntil) continue;
    const wraps = startsWrapper(source, start);
    const end = wraps ? source.length : beginnings[index + 1];
    const link = linkAt(source, start, end);
    const found = link === undefined ? undefined : joinLinkIn(link, hosts);
    if (found !== undefined) return found;
    // Whatever a redirecting link contains was searched.
    if (wraps) searchedUntil = start + (link?.length ?? 0);
  }
  return undefined;
}

const escaped = (host: string) => host.replace(/[^\w-]/g, "\\$&");

/** Precedes a host without a scheme if the host is part of a longer address, and not the beginning of a link. */
const INSIDE_AN_ADDRESS = /[\w.@/=%&?#-]/;

/** Where links begin: with their scheme, or with a host (and up to three subdomains) and a slash. */
function beginningsIn(text: string, furtherHosts: readonly string[]): number[] {
  const known = [...Object.values(CONFERENCE_HOSTS).flat(), ...furtherHosts].map(escaped);
  const hosts = [...known, ...wrapperHosts()].join("|");
  const beginning = new RegExp(`https?://|(?:[a-z0-9-]{1,63}\\.){0,3}(?:${hosts})(?:\\.mcas[a-z.-]{3,7})?/`, "gi");
  const beginnings: number[] = [];
  for (const { 0: found, index } of text.matchAll(beginning)) {
    const hasScheme = found.endsWith("://");
    if (hasScheme || index === 0 || !INSIDE_AN_ADDRESS.test(text.charAt(index - 1))) beginnings.push(index);
  }
  return beginnings;
}

/** Whether a redirecting link begins at `start`. It may contain others, also without encoding them. */
function startsWrapper(text: string, start: number): boolean {
  const host = /^(?:https?:\/\/)?([^/?#]{1,255})/i.exec(text.slice(start, start + 270))?.[1] ?? "";
  return isWrapper(host) && serviceOfHost(host.toLowerCase()) === undefined;
}

/** Longer texts are not treated as links: browsers and mail servers would have cut such a link. */
const MAX_LINK_LENGTH = 8_192;
/** White space, quotes, other brackets and all characters outside of ASCII end a link. In braces, there may be JSON. */
const LINK = /(?:[!#-&*-;=?-Z_a-z~]|\([^\s()<>]*\)|\{[^\s{}<>]*\})*/y;
/** Punctuation after a link, which belongs to the sentence, the list or the emphasis around the link. */
const TRAILING = ".,;:!?*_~";

/** The link that begins at `start`, or `undefined` if its end is missing: it is too long, or ends in an ellipsis. */
function linkAt(text: string, start: number, end = text.length): string | undefined {
  const piece = text.slice(start, Math.min(end, start + MAX_LINK_LENGTH));
  LINK.lastIndex = 0;
  const link = LINK.exec(piece)?.[0] ?? "";
  if (link.length === MAX_LINK_LENGTH || piece[link.length] === "…" || link.endsWith("..")) return undefined;
  let { length } = link;
  while (length > 0 && TRAILING.includes(link.charAt(length - 1))) length -= 1;
  return link.slice(0, length);
}

const MAX_WRAPPERS = 5;

/** The join link in `text`, which may be wrapped in redirecting links. */
function joinLinkIn(text: string, furtherHosts: readonly string[]): MeetingLink | undefined {
  let link: string | undefined = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  for (let wrappers = 0; link !== undefined && wrappers <= MAX_WRAPPERS; wrappers += 1) {
    const url = httpUrl(link);
    if (url === undefined) return undefined;
    const isFurther = furtherHosts.some((host) => isAt(url.hostname, host));
    const service = serviceOfHost(url.hostname) ?? (isFurther ? "other" : undefined);
    if (service !== undefined) return isJoinLink(link, url, service) ? { service, url: link } : undefined;
    link = unwrapped(link, url);
  }
  return undefined;
}
