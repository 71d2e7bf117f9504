import { type ReactNode, Suspense } from "react";
import { Link } from "../components/link";
import { Live, LiveState } from "../components/live";
import { LogOut } from "../components/log-out";
import { currentUser } from "../lib/session";
import "./globals.css";

export const metadata = {
  title: { default: "Meetings", template: "%s · Meetings" },
};

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" className="h-full">
      <body className="flex min-h-full flex-col antialiased">
        <Live>
          <a
            href="#main"
            className="fixed top-3 left-3 z-20 -translate-y-20 rounded-lg bg-indigo-600 px-4 py-2 text-white focus:translate-y-0"
          >
            Skip to the content
          </a>
          <header className="sticky top-0 z-10 border-b border-zinc-200 bg-white dark:border-zinc-800 dark:bg-zinc-950">
            <div className="mx-auto flex h-16 max-w-6xl items-center gap-x-3 px-4 sm:gap-x-4 sm:px-6">
              <Link
                href="/"
                className="group flex items-center gap-2.5 font-semibold"
              >
                <Logo />
                <span className="max-sm:sr-only max-sm:group-only:not-sr-only">
                  Meetings
                </span>
              </Link>
              <Suspense>
                <Account />
              </Suspense>
            </div>
          </header>
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto w-full max-w-6xl flex-1 scroll-mt-16 px-4 py-8 outline-none sm:px-6"
          >
            {children}
          </main>
        </Live>
      </body>
    </html>
  );
}

const Logo = () => (
  <svg viewBox="0 0 32 32" className="size-8" aria-hidden="true">
    <rect width="32" height="32" rx="9" className="fill-indigo-600" />
    <path
      d="M9 18v-4M13 21V11M17 18v-4M21 23V9M25 18v-4"
      className="stroke-white"
      strokeWidth="2"
      strokeLinecap="round"
    />
  </svg>
);

async function Account() {
  const user = await currentUser();
  if (user === undefined) return null;
  return (
    <>
      <span className="truncate rounded-full bg-zinc-100 px-3 py-1 text-sm font-medium dark:bg-zinc-800">
        {user.tenant.name}
      </span>
      {/* Begins anew for another user. */}
      <LiveState key={user.email} />
      <span className="ml-auto hidden truncate text-sm text-zinc-600 md:block dark:text-zinc-400">
        {user.email}
      </span>
      <LogOut />
    </>
  );
}
