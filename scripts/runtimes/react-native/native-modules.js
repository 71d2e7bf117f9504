/**
 * The native modules of React Native that `fetch` needs: timers, network and blobs. Each request is a line for the host
 * (hermes.ts). The host sends the request, and returns the response as a line of JavaScript.
 */

/**
 * Hermes 0.12 is older than the versions that React Native supports today. Every supported version has `at` and
 * `performance`.
 */
const at = {
  configurable: true,
  writable: true,
  value(index) {
    return this[index < 0 ? this.length + index : index];
  },
};
for (const { prototype } of [Array, String]) if (!prototype.at) Object.defineProperty(prototype, "at", at);
global.performance ??= { now: () => Date.now() };

const toHost = (message) => print(`@host ${JSON.stringify(message)}`);

const timers = new Map();
let lastTimer = 0;
global.setTimeout = (callback, delayMs = 0, ...parameters) => {
  lastTimer += 1;
  timers.set(lastTimer, () => callback(...parameters));
  toHost({ kind: "timer", id: lastTimer, delayMs });
  return lastTimer;
};
global.clearTimeout = (id) => timers.delete(id);

/** The content of each blob: its text, and its bytes as base64. */
const blobs = new Map();

const nothing = () => {};
const modules = {
  PlatformConstants: {
    getConstants: () => ({ isTesting: true, Version: 35, reactNativeVersion: { major: 0, minor: 0, patch: 0 } }),
  },
  Networking: {
    sendRequest(method, url, requestId, headers, data, responseType) {
      const base64 = data?.base64 ?? blobs.get(data?.blob?.blobId)?.base64;
      toHost({ kind: "request", method, url, requestId, headers, text: data?.string, base64, responseType });
    },
    abortRequest: (requestId) => toHost({ kind: "abort", requestId }),
    clearCookies: nothing,
    addListener: nothing,
    removeListeners: nothing,
  },
  BlobModule: {
    getConstants: () => ({ BLOB_URI_SCHEME: "content", BLOB_URI_HOST: null }),
    addNetworkingHandler: nothing,
    addWebSocketHandler: nothing,
    removeWebSocketHandler: nothing,
    sendOverSocket: nothing,
    createFromParts: (parts, blobId) => blobs.set(blobId, { text: parts.map(({ data }) => data).join("") }),
    release: (blobId) => blobs.delete(blobId),
  },
  FileReaderModule: {
    readAsText: async ({ blobId }) => blobs.get(blobId).text,
    readAsDataURL: async ({ blobId, type }) => `data:${type};base64,${blobs.get(blobId).base64}`,
  },
};
global.__turboModuleProxy = (name) => modules[name] ?? null;
// React Native's older interface to native modules. It is used for modules that the proxy above lacks.
global.nativeModuleProxy = {};

// Loaded here, because it needs the modules above when it is loaded.
const { default: deviceEvents } = require("react-native/Libraries/EventEmitter/RCTDeviceEventEmitter");

/** The functions that the host calls. */
global.fromHost = {
  timer(id) {
    const callback = timers.get(id);
    timers.delete(id);
    callback?.();
  },
  response({ requestId, status, headers, url, text, base64, size }) {
    deviceEvents.emit("didReceiveNetworkResponse", [requestId, status, headers, url]);
    const blobId = `response-${requestId}`;
    blobs.set(blobId, { text, base64 });
    deviceEvents.emit("didReceiveNetworkData", [requestId, { blobId, offset: 0, size }]);
    deviceEvents.emit("didCompleteNetworkResponse", [requestId, "", false]);
  },
  failure: (requestId, message) => deviceEvents.emit("didCompleteNetworkResponse", [requestId, message, false]),
};
global.toHost = toHost;
