/** The callbacks that wait for a signal. The signal holds one listener of ours, however many calls share it. */
interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waitingFor = /* @__PURE__ */ new WeakMap<AbortSignal, Waiting>();

function listen(signal: AbortSignal): Waiting {
  const callbacks = new Set<() => void>();
  const listener = () => {
    waitingFor.delete(signal);
    for (const callback of callbacks) callback();
  };
  const waiting = { callbacks, listener };
  waitingFor.set(signal, waiting);
  signal.addEventListener("abort", listener, { once: true });
  return waiting;
}

/**
 * Calls `callback` when `signal` aborts: now, if it has. Returns a function that stops waiting. A signal on which
 * nobody waits any more holds no listener.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const waiting = waitingFor.get(signal) ?? listen(signal);
  // Two callers may pass the same function, and a set keeps it once.
  const entry = () => callback();
  waiting.callbacks.add(entry);
  return () => {
    waiting.callbacks.delete(entry);
    if (waiting.callbacks.size > 0 || waitingFor.get(signal) !== waiting) return;
    waitingFor.delete(signal);
    signal.removeEventListener("abort", waiting.listener);
  };
}
