/** What the client asks a throttle before it sends: a call of an account that must not have to wait. */
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
