/**
 * Whoever is not logged in comes back to the meeting after the login; whoever is
 * logged in needs no login. A meeting that the tenant does not have is a 404. The
 * page cannot say so: Next.js sends its shell, with the status 200, before the
 * page reads anything.
 */
import { type NextRequest, NextResponse } from "next/server";
import { afterLogin } from "./lib/after-login";
import { found } from "./lib/meetings";
import { notetakerOf } from "./lib/notetaker";
import { userOfCookie } from "./lib/session";

export const config = { matcher: ["/", "/login", "/meetings/:id"] };

export async function proxy(request: NextRequest) {
  const { cookies, headers, method, nextUrl } = request;
  const user = userOfCookie(cookies.get("session")?.value);
  if (method !== "GET") return NextResponse.next(); // an action answers itself
  const { pathname, search } = nextUrl;
  const redirect = (to: string) => NextResponse.redirect(new URL(to, nextUrl));
  if (pathname === "/login")
    return user ? redirect(afterLogin(search)) : NextResponse.next();
  if (!user)
    return redirect(
      pathname === "/" ? "/login" : `/login?to=${encodeURIComponent(pathname)}`,
    );
  if (pathname === "/") return NextResponse.next();
  // What an open page fetches has no status that anybody sees.
  if (headers.get("sec-fetch-dest") === "empty") return NextResponse.next();
  try {
    const id = decodeURIComponent(nextUrl.pathname.split("/")[2]);
    const { meetings } = notetakerOf(user.tenant);
    if (!(await found(meetings.get(id, {}, { maxRetries: 0 }))))
      return NextResponse.rewrite(new URL("/no-such-meeting", nextUrl));
  } catch {} // the page reads it again, and says what has failed
  return NextResponse.next();
}
