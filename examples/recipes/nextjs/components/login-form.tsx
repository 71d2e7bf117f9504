"use client";
import { useActionState, useRef, useState } from "react";
import { login } from "../app/actions";
import { afterLogin } from "../lib/after-login";
import { sentenceOf } from "../lib/sentence-of";
import { button, field, problem as looks } from "./styles";

export function LoginForm() {
  const [{ problem, email }, submit, isPending] = useActionState(logIn, {
    problem: "",
    email: "", // React resets a form after its action
  });
  const password = useRef<HTMLInputElement>(null);
  const [isChanged, setChanged] = useState(false);
  async function logIn(_: object, form: FormData) {
    const email = String(form.get("email"));
    setChanged(false);
    const problem = await login(form).catch((error) => sentenceOf(error));
    if (problem) {
      password.current?.focus();
      return { problem, email };
    }
    // Loaded anew, so that nothing of the last session stays.
    location.assign(afterLogin(location.search));
    return { problem, email };
  }
  return (
    <form
      action={submit}
      onChange={() => setChanged(true)}
      className="grid gap-4 text-sm font-semibold"
    >
      <label className="grid gap-1.5">
        Email
        <input
          name="email"
          type="email"
          required
          autoComplete="username"
          defaultValue={email}
          className={`${field} font-normal`}
        />
      </label>
      <label className="grid gap-1.5">
        Password
        <input
          ref={password}
          name="password"
          type="password"
          required
          autoComplete="current-password"
          className={`${field} font-normal`}
        />
      </label>
      {problem && !isChanged && (
        <p role="alert" className={`font-normal ${looks}`}>
          {problem}
        </p>
      )}
      <button type="submit" className={button.primary} disabled={isPending}>
        {isPending ? "Logging in …" : "Log in"}
      </button>
    </form>
  );
}
