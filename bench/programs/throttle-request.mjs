/** A request to a throttle, as the client makes it before a call. The call must not have to wait. */
export const requestOf = (token, changes) => ({
  operation: "rooms.list",
  token,
  signal: undefined,
  remainingMs: () => Number.POSITIVE_INFINITY,
  onWait() {
    throw new Error("a call waited: this run measures nothing");
  },
  createTimeoutError: () => new Error("too late"),
  ...changes,
});
