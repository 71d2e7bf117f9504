"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { logout } from "../app/actions";
import { sentenceOf } from "../lib/sentence-of";
import { useLive } from "./live";
import { button, failure } from "./styles";

export function LogOut() {
  const router = useRouter();
  const { isAway } = useLive();
  const [problem, setProblem] = useState("");
  async function leave() {
    setProblem("");
    try {
      await logout();
      router.push("/login");
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
        <p role="alert" className={`absolute top-full right-4 mt-2 ${failure}`}>
          {problem}
        </p>
      )}
    </>
  );
}
