"use client";
import { useRef, useState } from "react";
import { type Answer, readSharing, revoke, share } from "../app/actions";
import { sentenceOf } from "../lib/sentence-of";
import { Icon } from "./notice";
import { field as box, button, problem as looks, quiet } from "./styles";

interface Sharing {
  people: { id: string; name: string }[];
  /** If anyone who has it can read the meeting. */
  link?: string;
}

interface Props {
  id: string;
  /** The name of the tenant: all its users can read all its meetings. */
  tenant: string;
}

export function Share({ id, tenant }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const address = useRef<HTMLInputElement>(null);
  const [sharing, setSharing] = useState<Sharing>();
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isAddressRefused, setRefused] = useState(false);
  const [isPending, setPending] = useState(false);

  /** After a write, and at first, the list is read. What was typed stays, unless it is done. */
  async function act(
    write?: () => Promise<Answer>,
    action?: "share" | "revoke",
    done?: () => void,
  ) {
    setPending(true);
    setProblem(undefined);
    setRefused(false);
    try {
      const written = (await write?.()) ?? {};
      setRefused(done !== undefined && "problem" in written);
      if (!("problem" in written)) done?.();
      const read = "problem" in written ? written : await readSharing(id);
      if ("problem" in read) setProblem(read.problem);
      else setSharing(read);
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
          address.current?.focus();
          void act();
        }}
      >
        Share
      </button>
      <dialog
        ref={dialog}
        aria-labelledby="share"
        className="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-2xl border border-zinc-200 bg-white p-6 text-sm text-zinc-900 shadow-xl backdrop:bg-black/50 dark:border-zinc-700 dark:bg-zinc-900 dark:text-zinc-100"
      >
        <div className="-mr-2 mb-4 flex items-center justify-between gap-4">
          <h2 id="share" className="text-lg font-semibold">
            Share this meeting
          </h2>
          <form method="dialog">
            <button type="submit" className={button.icon} aria-label="Close">
              <Icon name="close" />
            </button>
          </form>
        </div>
        <form
          noValidate
          className="flex flex-wrap gap-2 sm:flex-nowrap"
          onSubmit={(event) => {
            event.preventDefault();
            const clear = () => setEmail((now) => (now === email ? "" : now));
            void act(() => share(id, email), "share", clear);
          }}
        >
          <input
            ref={address}
            type="email"
            className={box}
            aria-label="Address of a colleague"
            placeholder="ada@example.com"
            aria-invalid={isAddressRefused}
            value={email}
            onChange={({ target }) => {
              setEmail(target.value);
              setProblem(undefined);
              setRefused(false);
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
        {!sharing && isPending && <p className={`mt-6 ${quiet}`}>Loading …</p>}
        {!sharing && !isPending && (
          <button
            type="button"
            className={`${button.quiet} mt-4`}
            onClick={() => void act()}
          >
            Try again
          </button>
        )}
        {sharing && (
          <>
            <h3 id="readers" className="mt-6 mb-2 font-semibold">
              Who can read it
            </h3>
            <ul aria-labelledby="readers" className="grid grid-cols-1 gap-2">
              <li>
                Everybody at {tenant}
                {sharing.people.length === 0 && ", and nobody else."}
              </li>
              {sharing.people.map((person) => (
                <li
                  key={person.id}
                  className="flex items-center justify-between gap-3"
                >
                  <span className="truncate">{person.name}</span>
                  <button
                    type="button"
                    className={button.quiet}
                    disabled={isPending}
                    aria-label={`Revoke: ${person.name}`}
                    onClick={() =>
                      void act(() => revoke(id, person.id), "revoke")
                    }
                  >
                    Revoke
                  </button>
                </li>
              ))}
            </ul>
            <div className="mt-6 border-t border-zinc-200 pt-4 dark:border-zinc-800">
              {sharing.link ? (
                <CopyLink link={sharing.link} />
              ) : (
                <button
                  type="button"
                  className={`${button.quiet} w-full`}
                  disabled={isPending}
                  onClick={() => void act(() => share(id), "share")}
                >
                  Share with a link
                </button>
              )}
            </div>
          </>
        )}
      </dialog>
    </>
  );
}

function CopyLink({ link }: { link: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    field.current?.select(); // to be copied by hand, if the browser denies it
    await navigator.clipboard?.writeText(link).then(
      () => setCopied(true),
      () => {},
    );
  }
  return (
    <div className="flex gap-2">
      <input
        ref={field}
        readOnly
        className={box}
        aria-label="Link to share"
        value={link}
      />
      <button type="button" className={button.quiet} onClick={copy}>
        {isCopied ? "Copied" : "Copy link"}
      </button>
    </div>
  );
}
