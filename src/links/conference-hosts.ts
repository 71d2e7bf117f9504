/** Hosts of the four services, and the looser rule of the API: see "POST /meetings/bot". is-join-link.ts has the strict one. */
import { httpUrl } from "./http-url.js";

/** The services, and the hosts (with their subdomains) that serve their join links. */
export const CONFERENCE_HOSTS = {
  zoom: ["zoom.us", "zoom.com", "zoomgov.com", "zoom.com.cn"],
  google_meet: ["meet.google.com"],
  teams: ["teams.microsoft.com", "teams.live.com", "teams.microsoft.us", "teams.cloud.microsoft"],
  webex: ["webex.com"],
} as const;

/** One of the four conference services. */
export type ConferenceService = keyof typeof CONFERENCE_HOSTS;

/** Whether `value` is a host name such as `meet.example.com`: an origin, a path, a port or a wildcard would never match. */
export const isHostName = (value: unknown): boolean =>
  typeof value === "string" && /^[a-z0-9-]+([.][a-z0-9-]+)+$/i.test(value);

/** Characters without a glyph in copied text. A joiner between letters beyond ASCII is part of a word, and stays. */
const INVISIBLE = /(?!(?<=[^\0-\x7f])[\u200c\u200d](?=[^\0-\x7f]))\p{Default_Ignorable_Code_Point}/gu;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, "");

/** Microsoft Defender for Cloud Apps appends its own domain to that of the service: `teams.microsoft.com.mcas.ms`. */
const PROXY_DOMAIN = /\.mcas(\.ms|-gov\.us|-gov\.ms)$/;

export const isAt = (hostname: string, host: string) => `.${hostname}`.endsWith(`.${host.toLowerCase()}`);

/** The conference service that a host belongs to, or `undefined` if the host belongs to none of the four. */
export function serviceOfHost(hostname: string): ConferenceService | undefined {
  const host = hostname.replace(PROXY_DOMAIN, "");
  for (const [service, hosts] of Object.entries(CONFERENCE_HOSTS)) {
    if (hosts.some((known) => isAt(host, known))) return service as ConferenceService;
  }
  return undefined;
}

/** `"other"`: a link to one of `furtherHosts`. A link without a path leads to no call: `undefined`. */
export function conferenceService(
  link: string,
  furtherHosts: readonly string[] = [],
): ConferenceService | "other" | undefined {
  const url = httpUrl(link);
  if (!url || url.username || url.password) return undefined;
  const service = serviceOfHost(url.hostname);
  if (service !== undefined) return url.pathname === "/" ? undefined : service;
  return furtherHosts.some((host) => isAt(url.hostname, host)) ? "other" : undefined;
}
