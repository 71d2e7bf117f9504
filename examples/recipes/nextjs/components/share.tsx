"use client";
import { useRef, useState } from "react";
import { type Answer, readSharing, revoke, share } from "../app/actions";
import { sentenceOf } from "../lib/sentence-of";
import { field as box, button, problem as looks, quiet } from "./styles";

interface Person {
  id: string;
  name: string;
}

export function Share({ id }: { id: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [people, setPeople] = useState<Person[]>();
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);

  /** After a write, and at first, the list is read. What was typed stays, unless it is done. */
  async function act(
    write?: () => Promise<Answer>,
    action?: "share" | "revoke",
  ) {
    setPending(true);
    setProblem(undefined);
    try {
      const written = (await write?.()) ?? {};
      const read = "problem" in written ? written : await readSharing(id);
      if ("problem" in read) setProblem(read.problem);
      else {
        setPeople(read.people);
        if (action === "share") setEmail((now) => (now === email ? "" : now));
      }
    } catch (error) {
      setProblem(sentenceOf(error, action));
    }
    setPending(false);
  }

  return (
    <>
      <button
        type="button"
        className={button.quiet}
        onClick={() => {
          dialog.current?.showModal();
          field.current?.focus();
          void act();
        }}
      >
        Share
      </button>
      <dialog
        ref={dialog}
        aria-labelledby="share"
        className="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-2xl border border-zinc-200 bg-white p-6 text-zinc-900 shadow-xl backdrop:bg-black/50 dark:border-zinc-700 dark:bg-zinc-900 dark:text-zinc-100"
      >
        <div className="mb-4 flex items-center justify-between gap-4">
          <h2 id="share" className="text-lg font-semibold">
            Share this meeting
          </h2>
          <form method="dialog">
            <button type="submit" className={button.quiet}>
              Close
            </button>
          </form>
        </div>
        <form
          noValidate
          className="flex flex-wrap gap-2 sm:flex-nowrap"
          onSubmit={(event) => {
            event.preventDefault();
            void act(() => share(id, email), "share");
          }}
        >
          <input
            ref={field}
            type="email"
            className={box}
            aria-label="Address of a colleague"
            placeholder="ada@example.com"
            value={email}
            onChange={({ target }) => {
              setEmail(target.value);
              setProblem(undefined);
            }}
          />
          <button
            type="submit"
            className={`${button.primary} max-sm:w-full`}
            disabled={isPending}
          >
            Share
          </button>
        </form>
        {problem && (
          <p role="alert" className={`mt-2 ${looks}`}>
            {problem}
          </p>
        )}
        <ul aria-label="Who can read it" className="mt-4 grid gap-2">
          {people?.map((person) => (
            <li
              key={person.id}
              className="flex items-center justify-between gap-3 text-sm"
            >
              <span className="truncate">{person.name}</span>
              <button
                type="button"
                className={button.quiet}
                disabled={isPending}
                aria-label={`Revoke: ${person.name}`}
                onClick={() => void act(() => revoke(id, person.id), "revoke")}
              >
                Revoke
              </button>
            </li>
          ))}
        </ul>
        {people === undefined && isPending && (
          <p className={quiet}>Loading …</p>
        )}
        {people?.length === 0 && <p className={quiet}>Only you can read it.</p>}
      </dialog>
    </>
  );
}
