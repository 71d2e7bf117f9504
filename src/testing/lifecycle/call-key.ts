/** Interface, "States and transitions": a second bot is not sent to the same call. */
import { conferenceService } from "../../schemas/conference-link.js";

/** What two join links to the same call have in common, though one carries a password or another host. */
export function callKey(link: string): string {
  const { hostname, pathname, searchParams } = new URL(link);
  const path = pathname.replace(/\/+$/, "");
  const service = conferenceService(link) ?? hostname;
  // Zoom: any of its hosts opens the number. Webex: the call can be in the query.
  if (service === "zoom") return `zoom:${/\/(\d{6,})/.exec(path)?.[1] ?? path}`;
  if (service === "webex") return `webex:${hostname}${path}:${searchParams.get("MTID") ?? ""}`;
  return `${service}:${path}`;
}
