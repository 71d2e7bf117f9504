/** The looks of what stands on several pages. */
const shared =
  "inline-flex min-h-10 shrink-0 cursor-pointer items-center justify-center rounded-lg text-sm font-semibold whitespace-nowrap transition disabled:cursor-default disabled:opacity-60 aria-disabled:opacity-60";
const light =
  "bg-white text-zinc-900 hover:bg-zinc-100 dark:bg-zinc-900 dark:text-zinc-100 dark:hover:bg-zinc-800";

export const button = {
  primary: `${shared} bg-indigo-600 px-4 text-white shadow-sm hover:bg-indigo-500`,
  quiet: `${shared} ${light} border border-zinc-300 px-4 dark:border-zinc-700`,
  icon: `${shared} ${light} min-w-10`,
  drop: `${shared} ${light} relative w-full gap-2 border border-dashed border-zinc-500 px-4 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-indigo-500`,
};

const box =
  "min-h-10 w-full min-w-0 rounded-lg border border-zinc-500/80 bg-white py-2 pr-3 text-sm placeholder:text-zinc-500 aria-busy:animate-pulse aria-invalid:border-red-600 dark:aria-invalid:border-red-400 dark:bg-zinc-900 dark:placeholder:text-zinc-400";

export const field = `${box} pl-3`;
/** With an icon in it. */
export const searchField = `${box} pl-10`;

export const card =
  "rounded-xl border border-zinc-200 bg-white shadow-xs dark:border-zinc-800 dark:bg-zinc-900";

export const quiet = "text-sm text-zinc-600 dark:text-zinc-400";

export const problem = "text-sm text-red-700 dark:text-red-400";

export const failure =
  "rounded-xl border border-red-300 bg-red-50 px-4 py-2 text-sm text-red-800 dark:border-red-900 dark:bg-red-950 dark:text-red-200";
