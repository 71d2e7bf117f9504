/** Interface, "States and transitions": no second bot is sent to the same call. */
import { conferenceService } from "../../schemas/conference-link.js";

/** A key that all join links of one call share, with or without a password, and on any host of the service. */
export function callKey(link: string): string {
  const { hostname, pathname, searchParams } = new URL(link);
  const path = pathname.replace(/\/+$/, "");
  const service = conferenceService(link) ?? hostname;
  // Every host of Zoom opens the same number. In a Webex link the call may be in the query.
  if (service === "zoom") return `zoom:${/\/(\d{6,})/.exec(path)?.[1] ?? path}`;
  if (service === "webex") return `webex:${hostname}${path}:${searchParams.get("MTID") ?? ""}`;
  return `${service}:${path}`;
}
