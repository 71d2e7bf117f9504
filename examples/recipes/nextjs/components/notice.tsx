import type { ReactNode } from "react";
import { card } from "./styles";

const ICONS = {
  alert: "M12 9v4m0 3h.01M12 4 3 19.5h18L12 4Z",
  calendar: "M8 3v4m8-4v4M4 10h16M4 5.5h16v14H4v-14Z",
  clock: "M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  close: "m6 6 12 12M18 6 6 18",
  file: "M14 3H6v18h12V7l-4-4Zm-2 8v6m-3-3.5v1m6-1v1",
  open: "m9 6 6 6-6 6",
  search: "m20 20-4-4m2-5a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z",
  upload: "M12 15V4m-4 4 4-4 4 4M5 15v4h14v-4",
  video: "M3 7h12v10H3V7Zm12 4 6-3v8l-6-3",
};

export const Icon = ({ name }: { name: keyof typeof ICONS }) => (
  <svg viewBox="0 0 24 24" className="size-5 shrink-0" aria-hidden="true">
    <path
      d={ICONS[name]}
      className="fill-none stroke-current"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

interface Props {
  icon: keyof typeof ICONS;
  title: string;
  children?: ReactNode;
}

/** In place of a page or of a card's content: nothing is there, or not yet. */
export const Notice = ({ icon, title, children }: Props) => (
  <div
    className={`grid justify-items-center gap-3 px-6 py-14 text-center text-sm text-zinc-600 in-[section]:border-0 in-[section]:shadow-none dark:text-zinc-400 ${card}`}
  >
    <span
      className={`rounded-full p-3 ${icon === "alert" ? "bg-red-100 text-red-800 dark:bg-red-950 dark:text-red-200" : "bg-zinc-100 dark:bg-zinc-800"}`}
    >
      <Icon name={icon} />
    </span>
    <p
      role={icon === "alert" ? "alert" : "status"}
      className="text-base font-semibold text-zinc-900 wrap-anywhere dark:text-zinc-100"
    >
      {title}
    </p>
    {children}
  </div>
);

const bar =
  "block animate-pulse rounded bg-zinc-200 motion-reduce:animate-none dark:bg-zinc-800";

/** The outline of what is being read. */
export const Loading = ({
  lines,
  hasTiles,
}: {
  lines: number;
  hasTiles?: boolean;
}) => (
  <div role="status" aria-label="Loading" className="grid gap-8">
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} className="flex items-center gap-4">
        {hasTiles && <span className={`size-10 ${bar}`} />}
        <span className="grid flex-1 gap-2.5 py-1">
          <span className={`h-3.5 w-1/3 ${bar}`} />
          <span className={`h-3 w-2/3 ${bar}`} />
        </span>
      </span>
    ))}
  </div>
);
