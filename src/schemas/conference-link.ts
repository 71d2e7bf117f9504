/** Interface, "POST /meetings/bot": the four kinds of join link. */
import { httpUrl } from "./secure-url.js";

/** The services, and the hosts (with their subdomains) that serve their join links. */
export const CONFERENCE_HOSTS = {
  zoom: ["zoom.us", "zoom.com", "zoomgov.com"],
  google_meet: ["meet.google.com"],
  teams: ["teams.microsoft.com", "teams.live.com", "teams.microsoft.us"],
  webex: ["webex.com"],
} as const;

export type ConferenceService = keyof typeof CONFERENCE_HOSTS;

/** The conference service that a join link belongs to, or `undefined` when it is a link of none of the four. */
export function conferenceService(link: string): ConferenceService | undefined {
  const url = httpUrl(link);
  if (!url || url.username || url.password) return undefined;
  const found = Object.entries(CONFERENCE_HOSTS).find(([, hosts]) =>
    hosts.some((host) => `.${url.hostname}`.endsWith(`.${host}`)),
  );
  return found?.[0] as ConferenceService | undefined;
}
