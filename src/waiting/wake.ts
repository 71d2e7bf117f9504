/** Events from elsewhere that say that it is time to look again. */

export interface Wake {
  /** Resolves at the next event that may concern the meeting; never, once there are no more. */
  next(): Promise<void>;
  /** Lets the events go. */
  close(): void;
}

/** An event that names another meeting does not count. */
export function wakeUps(events: AsyncIterable<unknown>, meetingId: string): Wake {
  const iterator = events[Symbol.asyncIterator]();

  const listen = async (): Promise<void> => {
    for (;;) {
      // Without events, polling goes on alone: this stays pending.
      const { done, value } = await iterator.next().catch(() => ({ done: true, value: undefined }));
      if (done) return new Promise(() => {});
      if (((value as { meetingId?: unknown } | null | undefined)?.meetingId ?? meetingId) === meetingId) return;
    }
  };

  // One that comes while a poll is under way is kept for the pause after it.
  let event = listen();
  return {
    async next() {
      const awaited = event;
      await awaited;
      if (event === awaited) event = listen();
    },
    close: () => void iterator.return?.().catch(() => {}),
  };
}
