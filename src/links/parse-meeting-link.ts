/** Finds a join link in a text, each step in linear time: decodes the text, cuts links out of it, and unwraps them. */
import { textOf } from "../json/text-of.js";
import { CONFERENCE_HOSTS, type ConferenceService, isAt, isHostName, serviceOfHost } from "./conference-hosts.js";
import { decodeText } from "./decode-text.js";
import { httpUrl } from "./http-url.js";
import { isJoinLink } from "./is-join-link.js";
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
 * HTML entities and the escapes of Markdown, JSON and calendar files, and unwraps the links of Outlook's SafeLinks and
 * `google.com/url`. A link of which a part may be missing is not returned, and neither are links to dial-in numbers,
 * meeting options and help pages.
 * @example
 * const link = parseMeetingLink(event.description);
 * if (link) await notetaker.meetings.sendBot({ meeting_url: link.url });
 * @throws TypeError if `conferenceHosts` is not a list of host names: an origin, a port or a wildcard never matches.
 */
export function parseMeetingLink(text: string, options: MeetingLinkOptions = {}): MeetingLink | undefined {
  const hosts = options.conferenceHosts ?? [];
  checkHosts(hosts);
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

function checkHosts(hosts: unknown): asserts hosts is readonly string[] {
  if (!Array.isArray(hosts)) throw new TypeError("conferenceHosts: expected a list of hosts");
  const wrong = hosts.findIndex((host) => !isHostName(host));
  if (wrong === -1) return;
  const received = textOf(hosts[wrong]);
  throw new TypeError(`conferenceHosts[${wrong}]: expected a host name such as meet.example.com, received ${received}`);
}

const escaped = (host: string) => host.replace(/[^\w-]/g, "\\$&");

/** A letter of a script without spaces, in which a link may follow a letter, and a letter may follow a link. */
const SPACELESS_SCRIPT = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** Whether a host behind this character is part of a longer address, and not the beginning of a link. */
const isInsideAddress = (before: string) =>
  /[\p{L}\p{M}\p{N}_.@/=%&?#-]/u.test(before) && !SPACELESS_SCRIPT.test(before);

/** Where links begin: with their scheme, or with a host (and up to three subdomains) and a slash. */
function beginningsIn(text: string, furtherHosts: readonly string[]): number[] {
  const known = [...Object.values(CONFERENCE_HOSTS).flat(), ...furtherHosts].map(escaped);
  const hosts = [...known, ...wrapperHosts()].join("|");
  const beginning = new RegExp(`https?://|(?:[a-z0-9-]{1,63}\\.){0,3}(?:${hosts})(?:\\.mcas[a-z.-]{3,7})?/`, "gi");
  const beginnings: number[] = [];
  for (const { 0: found, index } of text.matchAll(beginning)) {
    const hasScheme = found.endsWith("://");
    if (hasScheme || !isInsideAddress(text.charAt(index - 1))) beginnings.push(index);
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
/** White space, quotes and other brackets end a link. In braces, there may be JSON. */
const LINK = /(?:[!#-&*-;=?-Z_a-z~\p{L}\p{M}\p{N}]|\([^\s()<>]*\)|\{[^\s{}<>]*\})*/uy;
/** Punctuation after a link, which belongs to the sentence, the list or the emphasis around the link. */
const TRAILING = ".,;:!?*_~";

/** Here, the link may end and a sentence in a script without spaces begin. */
const GLUED = new RegExp(`(?<=[0-9a-z])${SPACELESS_SCRIPT.source}`, "iu");

/** The link that begins at `start`, or `undefined` if its end is missing or in doubt. */
function linkAt(text: string, start: number, end = text.length): string | undefined {
  const piece = text.slice(start, Math.min(end, start + MAX_LINK_LENGTH));
  LINK.lastIndex = 0;
  const whole = LINK.exec(piece)?.[0] ?? "";
  if (whole.length === MAX_LINK_LENGTH || whole.endsWith("..")) return undefined;
  const glued = whole.search(GLUED);
  const link = glued === -1 ? whole : whole.slice(0, glued);
  let { length } = link;
  while (length > 0 && TRAILING.includes(link.charAt(length - 1))) length -= 1;
  const trimmed = link.slice(0, length);
  return mayGoOn(link, trimmed, text.slice(start + link.length, start + link.length + 64)) ? undefined : trimmed;
}

/** What ends a link for certain. An ellipsis, a dash, a symbol, or an apostrophe before a letter does not. */
const ENDS = /^(?:$|[\s\p{Cc}<>|`]|['’‘]+(?:$|[\s),.;:!?\]}>"”»])|(?![([{'’‘\\…·‧・])\p{P}(?<!\p{Pd}|\p{Pc}))/u;

/** Links of a fixed form: whatever follows is not a part of them. */
const COMPLETE =
  /^(?:https?:\/\/)?(?:meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}|(?:[a-z0-9-]+\.)*zoom\.(?:us|com)\/[jw]\/\d{9,11})$/i;

/** The values of these parameters are in ASCII, so a letter of another script ends them. */
const ASCII_VALUE = /[?&](?:pwd|tk|p|mtid)=[^&#]+$/i;

/**
 * Digits behind a meeting number are its rest, unless a dash between spaces precedes them, or they belong to a time, a
 * date or a list, or count something. Before a capital letter they count nothing: it may begin a label, as `Passcode: …`.
 */
const MORE_DIGITS = /^(?!\s+\p{Pd}\s)[\s\p{Pd}]+(\d{1,2})(?![\d:.,\p{L}]|\/\d|[ \t\xa0]+(?!\p{Lu})\p{L})/u;

/** Whether a link may go on in the text behind it: it would lead into another room. */
function mayGoOn(link: string, trimmed: string, rest: string): boolean {
  if (rest.startsWith("…")) return true;
  const [digits = ""] = /(?<=\/)\d{9,10}$/.exec(trimmed) ?? [];
  const [, more = ""] = (digits && MORE_DIGITS.exec(rest)) || [];
  if (more !== "" && digits.length + more.length <= 11) return true;
  if (/[?&]$/.test(link) && /^\s+\w+=/.test(rest)) return true;
  if (/[-%&+@#]$/.test(link) && /^[ \t]*[\r\n]/.test(rest)) return true;
  if (SPACELESS_SCRIPT.test(rest.charAt(0)) && ASCII_VALUE.test(link)) return false;
  return link === trimmed && !ENDS.test(rest) && !COMPLETE.test(link);
}

const MAX_WRAPPERS = 5;

function joinLinkIn(text: string, furtherHosts: readonly string[]): MeetingLink | undefined {
  let link: string | undefined = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  for (let wrappers = 0; link !== undefined && wrappers <= MAX_WRAPPERS; wrappers += 1) {
    const url = httpUrl(link);
    if (url === undefined) return undefined;
    const isFurther = furtherHosts.some((host) => isAt(url.hostname, host));
    const service = serviceOfHost(url.hostname) ?? (isFurther ? "other" : undefined);
    if (service !== undefined) return isJoinLink(link, url, service) ? { service, url: link } : undefined;
    link = unwrapped(url);
  }
  return undefined;
}
