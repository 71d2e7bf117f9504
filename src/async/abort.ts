const abortError = () => Object.assign(new Error("This operation was aborted"), { name: "AbortError" });

/** Why a signal has aborted. The signals of React Native before 0.86 have no `reason`. */
export const abortReason = (signal: AbortSignal): unknown =>
  signal.reason === undefined ? abortError() : signal.reason;

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortReason(signal);
}

/** In React Native before 0.86, signals lack `reason` and `throwIfAborted`, which ky needs: here they get them. */
export function newAbortController(): AbortController {
  const controller = new AbortController();
  if (typeof AbortSignal !== "undefined" && "throwIfAborted" in AbortSignal.prototype) return controller;
  const { signal } = controller;
  const abort = controller.abort.bind(controller);
  Object.assign(signal, { throwIfAborted: () => throwIfAborted(signal) });
  return Object.assign(controller, {
    abort(reason: unknown = abortError()) {
      if (!("reason" in signal)) Object.defineProperty(signal, "reason", { value: reason });
      abort(reason);
    },
  });
}

/** The library adds only one listener to a signal, however many calls share it. */
interface Waiting {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const waitingFor = /* @__PURE__ */ new WeakMap<AbortSignal, Waiting>();

function listenTo(signal: AbortSignal): Waiting {
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

/** Calls `callback` when `signal` aborts, or at once if it has. Returns a function that stops waiting. */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    callback();
    return () => {};
  }
  const waiting = waitingFor.get(signal) ?? listenTo(signal);
  // A new function, because two callers may pass the same one, and a set would keep it only once.
  const entry = () => callback();
  waiting.callbacks.add(entry);
  return () => {
    waiting.callbacks.delete(entry);
    if (waiting.callbacks.size > 0 || waitingFor.get(signal) !== waiting) return;
    waitingFor.delete(signal);
    signal.removeEventListener("abort", waiting.listener);
  };
}

/** A signal that aborts together with another one. It needs one listener on that signal, which can be removed. */
export interface FollowingSignal {
  readonly signal: AbortSignal;
  /** Aborts this signal, not the followed one. */
  abort(reason?: unknown): void;
  /** Removes the listener from the followed signal. */
  release(): void;
}

export function followSignal(followed: AbortSignal | undefined, controller = newAbortController()): FollowingSignal {
  const release = onAbort(followed, () => controller.abort(followed && abortReason(followed)));
  return { signal: controller.signal, abort: (reason) => controller.abort(reason), release };
}

/** Settles like `work`, or rejects with the signal's reason at once; `onLate` gets a value that comes later. */
export function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  onLate?: (value: T) => void,
  callOnAbort: (signal: AbortSignal, callback: () => void) => () => void = onAbort,
): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    let isLate = false;
    const stopWaiting = callOnAbort(signal, () => {
      isLate = true;
      reject(abortReason(signal));
    });
    work.then(
      (value) => {
        stopWaiting();
        if (isLate) onLate?.(value);
        resolve(value);
      },
      (error) => {
        stopWaiting();
        reject(error);
      },
    );
  });
}
