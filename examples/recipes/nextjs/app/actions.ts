"use server";
import { updateTag } from "next/cache";
import { isNotetakerError } from "notetaker-sdk/browser";
/** Server actions are public endpoints: check here who the caller is. */
import { listMeetings, MEETINGS } from "../lib/meetings";
import { notetaker } from "../lib/notetaker";
import { sentenceOf } from "../lib/sentence-of";

export async function moreMeetings(search: string, cursor: string) {
  return listMeetings(search, cursor);
}

export async function sendBot(_: string, form: FormData): Promise<string> {
  try {
    const meeting_url = String(form.get("url"));
    await notetaker().meetings.sendBot({ meeting_url });
  } catch (error) {
    if (!isNotetakerError(error)) throw error;
    return sentenceOf(
      error,
      "The bot may be on its way: look at your meetings before you send another.",
    );
  }
  updateTag(MEETINGS);
  return "The bot is on its way.";
}
