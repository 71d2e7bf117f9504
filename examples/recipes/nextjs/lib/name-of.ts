import type { Meeting } from "notetaker-sdk";

export const SOURCES: Record<string, string> = {
  google_meet: "Google Meet",
  zoom: "Zoom",
  teams: "Microsoft Teams",
  webex: "Webex",
  upload: "Upload",
};

/** A call that a bot was sent to may have no title yet. */
export function nameOf({ title, source }: Meeting): string {
  if (title) return title;
  return source in SOURCES && source !== "upload"
    ? `${SOURCES[source]} call`
    : "Untitled";
}
