/** A player whose link may come later, or anew, and the line that is said now. */
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";

export interface PlayerHandle {
  playFrom(seconds: number): void;
}

/** Where the page was opened, in seconds: `#t=12`. */
export const openedAt = () => Number(location.hash.replace("#t=", "")) || 0;

export function usePlayback(ref: Ref<PlayerHandle>) {
  const video = useRef<HTMLVideoElement>(null);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);
  // Where it is once it can play: before its link, or after a new one.
  const wanted = useRef<{ at: number; plays: boolean }>(undefined);
  useEffect(() => {
    const at = openedAt();
    if (at > 0) wanted.current ??= { at, plays: false };
  }, []);

  function goOn() {
    const { at, plays } = wanted.current ?? {};
    const player = video.current;
    if (at === undefined || !player?.readyState) return;
    wanted.current = undefined;
    player.currentTime = at;
    if (plays) player.play().catch(() => {}); // the browser may want a click
  }

  /** Once a minute: what cannot be played must not ask again and again. */
  function mayRenew(timeStamp: number): boolean {
    const player = video.current;
    if (!player || timeStamp - renewedAt.current < 60_000) return false;
    renewedAt.current = timeStamp;
    wanted.current ??= { at: player.currentTime, plays: !player.paused };
    return true;
  }

  useImperativeHandle(ref, () => ({
    playFrom(at) {
      wanted.current = { at, plays: true };
      goOn();
    },
  }));
  return { video, goOn, mayRenew };
}

/**
 * The line that began at `start` comes into sight, for whoever sees the last one.
 * The first does so only if the page was opened at a second.
 */
export function useFollow(start: number | undefined) {
  const line = useRef<HTMLLIElement>(null);
  const last = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (start === undefined) return;
    const place = last.current?.getBoundingClientRect();
    // Whoever has scrolled away from the last line reads elsewhere.
    if (place ? place.bottom > 64 && place.top < innerHeight : openedAt() > 0)
      line.current?.scrollIntoView?.({ block: "nearest" });
    last.current = line.current;
  }, [start]);
  return line;
}
