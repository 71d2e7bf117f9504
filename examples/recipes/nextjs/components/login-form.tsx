"use client";
import { useActionState, useState } from "react";
import { login } from "../app/actions";
import { button, field, problem as looks } from "./styles";

export function LoginForm() {
  const [problem, action, isPending] = useActionState(login, "");
  const [email, setEmail] = useState(""); // React empties a form after its action
  return (
    <form action={action} className="grid gap-4 text-sm font-medium">
      <label className="grid gap-1.5">
        Email
        <input
          name="email"
          type="email"
          required
          autoComplete="username"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          className={`${field} font-normal`}
        />
      </label>
      <label className="grid gap-1.5">
        Password
        <input
          name="password"
          type="password"
          required
          autoComplete="current-password"
          className={`${field} font-normal`}
        />
      </label>
      {problem && (
        <p role="alert" className={looks}>
          {problem}
        </p>
      )}
      <button type="submit" className={button.primary} disabled={isPending}>
        Log in
      </button>
    </form>
  );
}
