"use client";
import { useActionState } from "react";
import { sendBot } from "../app/actions";

export function SendBot() {
  const [{ answer, text }, action, isPending] = useActionState(sendBot, {});
  return (
    <form action={action}>
      <input
        name="text"
        defaultValue={text}
        aria-label="Link of the call"
        placeholder="meet.google.com/abc-defg-hij, or the whole invitation"
      />
      <button type="submit" disabled={isPending}>
        Send bot
      </button>
      <p role="status">{answer}</p>
    </form>
  );
}
