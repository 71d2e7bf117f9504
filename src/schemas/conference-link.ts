/** Interface, "POST /meetings/bot": the four kinds of join link. */

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
  if (/[\s\p{Cc}]/u.test(link) || !/^https?:\/\//i.test(link) || !URL.canParse(link)) return undefined;
  const { hostname, username, password } = new URL(link);
  if (username !== "" || password !== "") return undefined;
  for (const [service, hosts] of Object.entries(CONFERENCE_HOSTS)) {
    if (hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return service as ConferenceService;
  }
  return undefined;
}
