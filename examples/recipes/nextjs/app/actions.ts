"use server";
/**
 * Server actions are public endpoints: check here who the caller is, as in your
 * other actions.
 */
import { revalidatePath } from "next/cache";
import { cached, notetaker } from "../lib/notetaker";

export async function moreRooms(cursor: string) {
  const page = await notetaker().rooms.list(
    { limit: 20, expand: ["meetings"], cursor },
    cached,
  );
  return page.toJSON();
}

export async function share(meetingId: string) {
  await notetaker().permissions.set(meetingId, {
    recipient: { type: "anyone" },
    role: "read",
  });
  revalidatePath(`/meetings/${meetingId}`);
}
