"use client";
import { useState } from "react";
import { logout } from "../app/actions";
import { sentenceOf } from "../lib/sentence-of";
import { useLive } from "./live";
import { Icon } from "./notice";
import { button, failure } from "./styles";

export function LogOut() {
  const { isAway } = useLive();
  const [problem, setProblem] = useState("");
  async function leave() {
    setProblem("");
    try {
      await logout();
      // Loaded anew: what Next.js has read ahead is of the session that ended.
      location.assign(new URL("/login", location.href));
    } catch (error) {
      setProblem(`You may still be logged in. ${sentenceOf(error)}`);
    }
  }
  return (
    <>
      <button
        type="button"
        className={`${button.quiet} max-md:ml-auto`}
        disabled={isAway}
        onClick={leave}
      >
        Log out
      </button>
      {problem && (
        // At the bottom: a player stays below the header.
        <div
          className={`fixed inset-x-4 bottom-4 flex items-center justify-between gap-4 shadow-lg sm:left-auto ${failure}`}
        >
          <p role="alert">{problem}</p>
          <button
            type="button"
            className="cursor-pointer rounded p-1"
            aria-label="Dismiss"
            onClick={() => setProblem("")}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </>
  );
}
