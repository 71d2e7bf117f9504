/** A player whose link may come later, or anew, and the line that is said now. */
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";

export interface PlayerHandle {
  playFrom(seconds: number): void;
}

/** `at` is where it starts, in seconds. */
export function usePlayback(ref: Ref<PlayerHandle>, at = 0) {
  const video = useRef<HTMLVideoElement>(null);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);
  // Where it is once it can play: before its link, or after a new one.
  const wanted = useRef(at > 0 ? { at, plays: false } : undefined);

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

/** The line that began at `start` comes into sight, for whoever sees the last one. */
export function useFollow(start: number | undefined) {
  const line = useRef<HTMLLIElement>(null);
  const last = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (start === undefined) return;
    const place = last.current?.getBoundingClientRect();
    // Whoever has scrolled away from the last line reads elsewhere.
    if (!place || (place.bottom > 64 && place.top < innerHeight))
      line.current?.scrollIntoView?.({ block: "nearest" });
    last.current = line.current;
  }, [start]);
  return line;
}
