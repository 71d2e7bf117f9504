/** This program runs in a page whose events come from another origin. */
import type { NotetakerError } from "notetaker-sdk";
import { type SubscriptionState, subscribe } from "notetaker-sdk/browser";

async function run() {
  const url = new URLSearchParams(location.search).get("events") ?? "";
  const states: SubscriptionState[] = [];
  const onState = (state: SubscriptionState) => void states.push(state);
  const heard: unknown[] = [];
  for await (const event of subscribe(`${url}/events`, { onState, headers: { authorization: "Bearer page" } })) {
    heard.push(event.meetingId);
    if (heard.length === 2) break;
    // The connection is lost, and another event is published before the page is back.
    await fetch("/lose");
  }
  const refused = await subscribe(`${url}/refused`)
    .next()
    .catch(({ name, status }: NotetakerError & { status?: number }) => ({ name, status }));
  return { heard, states, refused };
}

(globalThis as { done?: Promise<unknown> }).done = run();
