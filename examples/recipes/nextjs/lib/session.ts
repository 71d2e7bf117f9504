/**
 * Who is logged in. `currentUser` is the place for your own login:
 *
 *   Clerk     const { userId, orgId } = await auth();
 *   Auth.js   const { user } = (await auth()) ?? {};
 *   Supabase  const { data: { user } } = await (await createClient()).auth.getUser();
 *
 * and then the tenant of this user or organisation, from your database.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { connection } from "next/server";
import { type Tenant, tenantOf } from "./tenants";

export interface User {
  email: string;
  tenant: Tenant;
}

const DAY_MS = 86_400_000;

/** Until when it is valid, of whom, and a signature that only this server can make. */
function signed(email: string, until: number): string {
  const { SESSION_SECRET } = process.env;
  if (!SESSION_SECRET) throw new Error("SESSION_SECRET is not set");
  const text = `${until}|${email}`;
  const mac = createHmac("sha256", SESSION_SECRET).update(text);
  return `${text}|${mac.digest("base64url")}`;
}

export function userOfCookie(cookie = ""): User | undefined {
  const [until, email = ""] = cookie.split("|");
  const wanted = Buffer.from(signed(email, Number(until)));
  const received = Buffer.from(cookie);
  const isOurs =
    received.length === wanted.length && timingSafeEqual(received, wanted);
  const tenant = tenantOf(email);
  if (!isOurs || Date.now() > Number(until) || !tenant) return undefined;
  return { email, tenant };
}

export async function currentUser() {
  await connection(); // it depends on the time
  return userOfCookie((await cookies()).get("session")?.value);
}

export const requireUser = async () =>
  (await currentUser()) ?? redirect("/login");

/** `false` if the password is wrong. */
export async function startSession(email: string, password: string) {
  const { LOGIN_PASSWORD } = process.env;
  if (!LOGIN_PASSWORD || password !== LOGIN_PASSWORD || !tenantOf(email))
    return false;
  const cookie = signed(email, Date.now() + DAY_MS);
  const secure = process.env.NODE_ENV === "production" && !process.env.INSECURE;
  const options = { httpOnly: true, sameSite: "lax", secure } as const;
  (await cookies()).set("session", cookie, options);
  return true;
}
