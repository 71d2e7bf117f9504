const COLOURS = [
  "bg-indigo-100 text-indigo-800 dark:bg-indigo-900 dark:text-indigo-100",
  "bg-emerald-100 text-emerald-800 dark:bg-emerald-900 dark:text-emerald-100",
  "bg-rose-100 text-rose-800 dark:bg-rose-900 dark:text-rose-100",
  "bg-amber-100 text-amber-900 dark:bg-amber-900 dark:text-amber-100",
];

const initialsOf = (name: string) =>
  name
    .split(" ")
    .flatMap(([letter]) => letter ?? [])
    .slice(0, 2)
    .join("");

/** `place` is that of the person among those of the meeting. */
export const Avatar = ({ name, place }: { name: string; place: number }) => (
  <span
    aria-hidden="true"
    className={`grid size-9 shrink-0 place-items-center rounded-full text-xs font-semibold ${COLOURS[place % COLOURS.length]}`}
  >
    {initialsOf(name)}
  </span>
);
