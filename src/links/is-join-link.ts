import { orUndefined } from "../json/or-undefined.js";
import type { ConferenceService } from "./conference-hosts.js";
import { parseUrl } from "./http-url.js";

/** The paths of join links. Links to dial-in numbers, options, recordings and help pages have other paths. */
const JOIN_PATHS: Readonly<Record<ConferenceService, RegExp>> = {
  // A meeting number has nine to eleven digits.
  zoom: /^\/(j|w|s|wc|wc\/join)\/\d{9,11}(\/(join|start))?\/?$|^\/my\/[^/]+\/?$/,
  google_meet: /^(\/_meet)?\/([a-z]{3}-[a-z]{4}-[a-z]{3}|lookup\/[^/]+)\/?$/i,
  teams: /^\/(l\/meetup-join|pre-join-calling)\/|^\/meet\/[^/]+\/?$|^\/dl\/launcher\/|^\/light-meetings\/launch/i,
  webex:
    /^\/(meet|join|m|weblink\/register)\/[^/]+\/?$|\/[gj]\.php$|^\/wbxmjs\/joinservice\/|^\/webappng\/sites\/[^/]+\/(meeting|webinar|event)\//i,
};

/** Subdomains of the services on which such a path is not a join link. */
const OTHER_PAGES = /^(support|help|dialin|blog|explore|learn)\./;

/** A conversation of Teams, decoded, and what a whole one looks like. */
const CONVERSATION = /^\/(l\/meetup-join|pre-join-calling)\/19:/i;
const WHOLE_CONVERSATION =
  /^\/(l\/meetup-join\/19:[^/@]+@[^/?]+\/\d+\/?(\?(.*&)?context=.+)?$|pre-join-calling\/19:[^/@]+@[^/]+\.\w)/i;

/** The parameters without which nobody is let in. If one is there, it has a value, in ASCII. */
const ESSENTIAL = /^(pwd|tk|p|context|mtid|url)$/i;

/** Whether `link` (as parsed, `url`) is a join link of this service, and no part of it is missing. */
export function isJoinLink(link: string, url: URL, service: ConferenceService | "other"): boolean {
  if (url.username !== "" || url.password !== "") return false;
  // Teams in a browser has the path behind a hash: `/_#/l/meetup-join/…`.
  const behindHash =
    service === "teams" && url.hash.startsWith("#/") ? parseUrl(url.hash.slice(1), url.href) : undefined;
  const { pathname, search, searchParams } = behindHash ?? url;
  if (!isWhole(link, searchParams)) return false;
  if (service === "other") return pathname !== "/" || search !== "" || url.hash !== "";
  if (OTHER_PAGES.test(url.hostname) || !JOIN_PATHS[service].test(pathname)) return false;
  const decoded = orUndefined(() => decodeURIComponent(pathname + search)) ?? pathname;
  if (CONVERSATION.test(decoded)) return WHOLE_CONVERSATION.test(decoded);
  return !pathname.endsWith(".php") || search !== "";
}

/** Letters of every script belong to a link. `*` and `__;` are what URL Defense writes in place of other characters. */
const NO_LINK = /[^\x21-\x7e\p{L}\p{M}\p{N}]|[*]|__;|%(?![\da-f]{2})/iu;

function isWhole(link: string, parameters: URLSearchParams): boolean {
  if (NO_LINK.test(link)) return false;
  return [...parameters].every(([name, value]) => {
    if (!ESSENTIAL.test(name)) return true;
    return /^[ -~]+$/.test(value) && (!value.startsWith("{") || value.endsWith("}"));
  });
}
