"use client";
import { useEffect, useRef, useState } from "react";
import { sendBot } from "../app/actions";
import { sentenceOf } from "../lib/sentence-of";
import { Again, OFFLINE, useLive, useRefresh } from "./live";
import { button, field, problem, quiet } from "./styles";

/** How long the page asks whether the bot is listed, and when at first: it is likely there soon. */
const LISTED_MS = 120_000;
const SOON_MS = [0, 2_000, 5_000];

export function SendBot() {
  const refresh = useRefresh();
  const { isOnline, bots } = useLive();
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState<{
    problem?: string;
    before?: typeof bots;
  }>();
  const [isPending, setPending] = useState(false);
  const isSent = answer !== undefined && answer.problem === undefined;
  // Its row says more.
  const isListed = isSent && bots.some((id) => !answer.before?.includes(id));
  const isBack = isOnline && answer?.problem === OFFLINE;
  if (isListed || isBack) setAnswer(undefined);
  useEffect(() => {
    if (!isSent) return;
    const timers = SOON_MS.map((ms) => setTimeout(refresh, ms));
    timers.push(setTimeout(() => setAnswer(undefined), LISTED_MS));
    return () => timers.forEach(clearTimeout);
  }, [isSent, refresh]);
  const invitation = useRef<HTMLTextAreaElement>(null);
  // From a meeting that was not recorded.
  useEffect(() => {
    if (location.hash === "#invitation") invitation.current?.focus();
  }, []);

  async function send(event: { preventDefault(): void }) {
    event.preventDefault();
    if (!isOnline) return setAnswer({ problem: OFFLINE });
    setPending(true);
    setAnswer(undefined);
    try {
      const answer = await sendBot(text);
      setAnswer({ ...answer, before: bots });
      if (!("problem" in answer)) setText("");
    } catch (error) {
      setAnswer({ problem: sentenceOf(error, "bot") });
    }
    setPending(false);
  }

  return (
    <form
      onSubmit={send}
      className="grid grid-cols-1 content-start gap-2"
      aria-busy={isPending}
    >
      <label htmlFor="invitation" className="text-sm font-semibold">
        Send a bot
      </label>
      <div className="flex gap-2">
        <textarea
          ref={invitation}
          id="invitation"
          rows={1}
          className={`${field} field-sizing-content max-h-40 resize-none`}
          placeholder="Paste link or invitation"
          aria-invalid={answer?.problem !== undefined}
          aria-describedby="bot-answer"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            if (!isSent) setAnswer(undefined);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <button
          type="submit"
          className={`${button.primary} self-start`}
          disabled={isPending}
        >
          {isPending ? "Sending …" : "Send bot"}
        </button>
      </div>
      <p
        id="bot-answer"
        role={answer?.problem ? "alert" : "status"}
        className={answer?.problem ? problem : quiet}
      >
        {answer === undefined
          ? "Zoom, Google Meet, Teams or Webex."
          : (answer.problem ?? "The bot is on its way. It asks to be let in.")}
      </p>
      {isSent && <Again />}
    </form>
  );
}
