/**
 * Recognises links to the same call, because no second bot is sent to a call (API specification, "States and
 * transitions").
 */
import { conferenceService } from "../../schemas/conference-link.js";

/** A key that is the same for all join links of one call, with or without a password, on any host of the service. */
export function callKey(link: string): string {
  const { hostname, pathname, searchParams } = new URL(link);
  const path = pathname.replace(/\/+$/, "");
  const service = conferenceService(link) ?? hostname;
  // On every host of Zoom, the same number opens the same call. In a Webex link, the query may name the call.
  if (service === "zoom") return `zoom:${/\/(\d{6,})/.exec(path)?.[1] ?? path}`;
  if (service === "webex") return `webex:${hostname}${path}:${searchParams.get("MTID") ?? ""}`;
  return `${service}:${path}`;
}
