/** Finds a join link in a text, each step in linear time. */
import { CONFERENCE_HOSTS, type ConferenceService, serviceOfHost } from "./conference-link.js";
import { httpUrl } from "./http-url.js";

/** A join link that was found in a text. */
export interface MeetingLink {
  /** The conference service that the link belongs to. */
  service: ConferenceService;
  /** The link, unwrapped: pass it to `meetings.sendBot` as `meeting_url`. */
  url: string;
}

/** The paths of join links. Links to dial-in numbers, options, recordings and help pages have other paths. */
const JOIN_PATHS: Readonly<Record<ConferenceService, RegExp>> = {
  zoom: /^\/(j|w|s)\/\d|^\/my\/[^/]|^\/wc\/(join\/)?\d/,
  google_meet: /^\/[a-z]{3}-[a-z]{4}-[a-z]{3}\/?$|^\/lookup\/[^/]/i,
  teams: /^\/l\/meetup-join\/|^\/meet\/[^/]|^\/dl\/launcher\/|^\/light-meetings\/launch/i,
  webex: /^\/(meet|join|m)\/[^/]|\/j\.php$|^\/wbxmjs\/joinservice\/|^\/webappng\/sites\/[^/]+\/meeting\//i,
};

/** Subdomains of the services on which such a path is not a join link. */
const OTHER_PAGES = /^(support|help|dialin|blog|explore|learn)\./;

/** The beginning of a link: its scheme, or the host of a service (with up to three subdomains). */
const BEGINNING = /* @__PURE__ */ (() => {
  const hosts = Object.values(CONFERENCE_HOSTS).flat().join("|").replaceAll(".", "\\.");
  return new RegExp(`https?://|(?:[a-z0-9-]{1,63}\\.){0,3}(?:${hosts})/`, "gi");
})();
/**
 * If one of these characters precedes a host without a scheme, the host is part of a longer address and is not a link.
 */
const INSIDE_AN_ADDRESS = /[\w.@/=%&?#-]/;
/** The characters that end a link in a text: white space, quotes, brackets, and every character outside of ASCII. */
const END = /[^\x21-\x7e]|[<>"'`{}|\\^]/;
/** HTML entities of characters that end a link. */
const END_ENTITY = /&(quot|apos|lt|gt|nbsp|#0*(34|39|60|62|160)|#x0*(22|27|3c|3e|a0));/i;
const AMPERSAND_ENTITY = /&(amp|#0*38|#x0*26);/gi;
/** The text before a link that is an unencoded parameter of a redirecting link. */
const IN_REDIRECT =
  /(?:google\.[a-z.]{2,6}\/url|safelinks\.protection\.outlook\.com\/[^?\s]{0,40})\?(?:\S{0,80}[&;])?(?:q|url)=$/i;
const MAX_BEFORE = 160;
/** Punctuation after a link, which belongs to the sentence or list around the link. */
const TRAILING = ".,;:!?)]*_~";

const MAX_WRAPPERS = 5;
/** Longer texts are not treated as links: browsers and mail servers would have cut such a link. */
const MAX_LINK_LENGTH = 8_192;

/**
 * The first join link in a text (a calendar entry, an email, a chat message), or `undefined` if there is none. Unwraps
 * Outlook's SafeLinks, `google.com/url` and Proofpoint's URL Defense, and decodes `&amp;`. Links to dial-in numbers,
 * meeting options and help pages are not join links.
 *
 * @example
 * const link = parseMeetingLink(event.description);
 * if (link) await notetaker.meetings.sendBot({ meeting_url: link.url });
 */
export function parseMeetingLink(text: string): MeetingLink | undefined {
  if (typeof text !== "string") return undefined;
  const source = unfolded(text);
  const beginnings = beginningsIn(source);
  for (const [index, start] of beginnings.entries()) {
    const end = Math.min(beginnings[index + 1] ?? source.length, start + MAX_LINK_LENGTH);
    const link = joinLink(linkAt(source, start, end));
    if (link !== undefined) return link;
  }
  return undefined;
}

/** Joins the folded lines of a calendar file: a line that begins with a space continues the line before. */
const unfolded = (text: string) => (/^BEGIN:V(CALENDAR|EVENT)/m.test(text) ? text.replaceAll(/\r?\n[ \t]/g, "") : text);

function beginningsIn(text: string): number[] {
  const beginnings: number[] = [];
  for (const { 0: found, index } of text.matchAll(BEGINNING)) {
    const hasScheme = found.endsWith("://");
    if (hasScheme || index === 0 || !INSIDE_AN_ADDRESS.test(text.charAt(index - 1))) beginnings.push(index);
  }
  return beginnings;
}

/** The link that begins at `start`, with its end determined as a browser would. */
function linkAt(text: string, start: number, end: number): string {
  let link = text.slice(start, end);
  const ended = link.search(END);
  if (ended !== -1) link = link.slice(0, ended);
  // The text may have been escaped more than once.
  for (let round = 0; round < 3 && link.includes("&"); round += 1) link = link.replaceAll(AMPERSAND_ENTITY, "&");
  const escapedEnd = link.search(END_ENTITY);
  if (escapedEnd !== -1) link = link.slice(0, escapedEnd);
  const before = text.slice(Math.max(0, start - MAX_BEFORE), start);
  if (before.slice(-40).includes("urldefense.com/v3/__")) link = link.split("__;", 1)[0] ?? "";
  if (IN_REDIRECT.test(before)) link = new URLSearchParams(`q=${link}`).get("q") ?? link;
  let length = link.length;
  while (length > 0 && TRAILING.includes(link.charAt(length - 1))) length -= 1;
  link = link.slice(0, length);
  return /^https?:\/\//i.test(link) ? link : `https://${link}`;
}

/** The join link in `text`, which may be wrapped in redirecting links. */
function joinLink(text: string): MeetingLink | undefined {
  let wrapped: string | undefined = text;
  for (let wrappers = 0; wrapped !== undefined && wrappers <= MAX_WRAPPERS; wrappers += 1) {
    const url = httpUrl(wrapped);
    if (url === undefined) return undefined;
    const service = serviceOfHost(url.hostname);
    if (service !== undefined) return isJoinLink(url, service) ? { service, url: wrapped } : undefined;
    wrapped = wrappedIn(url);
  }
  return undefined;
}

const isJoinLink = ({ hostname, pathname, username, password }: URL, service: ConferenceService) =>
  username === "" && password === "" && !OTHER_PAGES.test(hostname) && JOIN_PATHS[service].test(pathname);

/** The link that a redirecting link leads to. */
function wrappedIn({ hostname, pathname, searchParams }: URL): string | undefined {
  if (hostname.endsWith(".safelinks.protection.outlook.com")) return searchParams.get("url") ?? undefined;
  if (/^(www\.)?google\.[a-z.]{2,6}$/.test(hostname) && pathname === "/url") {
    return searchParams.get("q") ?? searchParams.get("url") ?? undefined;
  }
  return undefined;
}
