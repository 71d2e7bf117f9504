import { notFound } from "next/navigation";

/** Nothing is to be read here: `next dev` need not look for it. */
export const instant = false;

/** `proxy.ts` shows it: it has the status 404. */
export default function NoSuchMeeting() {
  notFound();
}
