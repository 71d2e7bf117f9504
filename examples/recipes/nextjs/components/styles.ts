/** The looks of what stands on several pages. */
export const focus =
  "outline-offset-2 focus-visible:outline-2 focus-visible:outline-indigo-500";

const shared = `inline-flex min-h-10 shrink-0 cursor-pointer items-center justify-center rounded-lg px-4 text-sm font-semibold whitespace-nowrap transition disabled:cursor-default disabled:opacity-60 aria-disabled:opacity-60 ${focus}`;

export const button = {
  primary: `${shared} bg-indigo-600 text-white shadow-sm hover:bg-indigo-500`,
  quiet: `${shared} border border-zinc-300 bg-white text-zinc-900 hover:bg-zinc-100 dark:border-zinc-700 dark:bg-zinc-900 dark:text-zinc-100 dark:hover:bg-zinc-800`,
};

export const field = `min-h-10 w-full min-w-0 rounded-lg border border-zinc-500/80 bg-white px-3 py-2 text-sm placeholder:text-zinc-500 aria-busy:animate-pulse dark:bg-zinc-900 dark:placeholder:text-zinc-400 ${focus}`;

export const card =
  "rounded-xl border border-zinc-200 bg-white shadow-xs dark:border-zinc-800 dark:bg-zinc-900";

export const quiet = "text-sm text-zinc-600 dark:text-zinc-400";

export const problem = "text-sm text-red-700 dark:text-red-400";

export const failure =
  "rounded-xl border border-red-300 bg-red-50 px-4 py-2 text-sm text-red-800 dark:border-red-900 dark:bg-red-950 dark:text-red-200";
