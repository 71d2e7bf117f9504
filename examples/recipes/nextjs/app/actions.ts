"use server";
/** Server actions are public endpoints: check here who the caller is. */
import { InvalidArgumentError, parseMeetingLink } from "notetaker-sdk";
import { notetaker } from "../lib/notetaker";
import { sentenceOf } from "../lib/sentence-of";

interface Sent {
  answer?: string;
  /** What stays in the field: React empties it after an action. */
  text?: string;
}

export async function sendBot(_: Sent, form: FormData): Promise<Sent> {
  const text = String(form.get("text"));
  try {
    const meeting_url = parseMeetingLink(text)?.url ?? text;
    await notetaker().meetings.sendBot({ meeting_url });
    return { answer: "The bot is on its way." };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) console.error(error);
    const maybe =
      "The bot may be on its way: look at your meetings before you send another.";
    return { answer: sentenceOf(error, maybe), text };
  }
}
