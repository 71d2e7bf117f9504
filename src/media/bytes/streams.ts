/** React Native and jest's jsdom environment have no streams. */
export const hasStreams = (): boolean => typeof ReadableStream !== "undefined";

export const NO_STREAMS = "this runtime has no streams (ReadableStream)";
