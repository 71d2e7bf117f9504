import { notFound } from "next/navigation";

/** `proxy.ts` shows it: it has the status 404. */
export default function NoSuchMeeting() {
  notFound();
}
