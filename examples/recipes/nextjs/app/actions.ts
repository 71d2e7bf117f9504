"use server";
import { cookies } from "next/headers";
/** Server actions are public endpoints: each begins with the user. */
import { parseMeetingLink, UnauthorizedError } from "notetaker-sdk";
import { live } from "../lib/live";
import { failure } from "../lib/meetings";
import { notetakerOf } from "../lib/notetaker";
import { sentenceOf } from "../lib/sentence-of";
import { currentUser, startSession } from "../lib/session";

/** `problem` is for the user. */
export type Answer<T = object> = T | { problem: string };

type Action = Parameters<typeof sentenceOf>[1];
type Service = ReturnType<typeof notetakerOf>;

async function answer<T extends object>(
  action: Action,
  act: (service: Service) => PromiseLike<T>,
): Promise<Answer<T>> {
  const user = await currentUser();
  if (user === undefined)
    return { problem: sentenceOf(new UnauthorizedError()) };
  try {
    return await act(notetakerOf(user.tenant));
  } catch (error) {
    return { problem: await failure(error, action) };
  }
}

export const sendBot = async (text: string) =>
  answer("bot", async ({ meetings }) => {
    const meeting_url = parseMeetingLink(text)?.url ?? text.trim();
    await meetings.sendBot(
      meeting_url ? { meeting_url } : ({} as { meeting_url: string }),
    );
    return {};
  });

export const readSharing = async (id: string) =>
  answer(undefined, async ({ permissions }) => {
    const { data, share_url: link } = await permissions.list(id, {
      limit: 100,
    });
    const people = data.map(({ id, recipient: { type, email } }) => ({
      id,
      name: type === "anyone" ? "Anyone with the link" : `${email ?? type}`,
    }));
    return {
      people,
      // It opens the meeting for whoever has it, or for nobody.
      link: data.some(({ recipient }) => recipient.type === "anyone")
        ? link
        : undefined,
    };
  });

/** With one address, or with anyone who has the link. */
export const share = async (id: string, email?: string) =>
  answer("share", async ({ permissions }) => {
    const recipient =
      email === undefined
        ? { type: "anyone" }
        : { type: "teammate", email: email.trim() };
    await permissions.set(id, { recipient, role: "read" });
    return {};
  });

export const revoke = async (id: string, permissionId: string) =>
  answer("revoke", async ({ permissions }) => {
    await permissions.revoke(id, permissionId);
    return {};
  });

/** What is wrong, for the user; nothing if the session has begun. */
export async function login(form: FormData): Promise<string> {
  const email = String(form.get("email")).trim().toLowerCase();
  const isRight = await startSession(email, String(form.get("password")));
  return isRight ? "" : "Email or password is wrong.";
}

/** The open pages of this user hear nothing more. */
export async function logout() {
  const user = await currentUser();
  (await cookies()).delete("session");
  live().relay.end(({ identity }) => identity.email === user?.email);
}
