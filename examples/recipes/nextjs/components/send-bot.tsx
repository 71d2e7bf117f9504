"use client";
import { useActionState } from "react";
import { sendBot } from "../app/actions";

export function SendBot() {
  const [answer, action, isPending] = useActionState(sendBot, "");
  return (
    <form action={action}>
      <input
        name="url"
        aria-label="Link of the call"
        placeholder="meet.google.com/abc-defg-hij"
      />
      <button type="submit" disabled={isPending}>
        Send bot
      </button>
      <p role="status">{answer}</p>
    </form>
  );
}
