/** `Uint8Array<ArrayBuffer>`: bytes whose memory is not shared. Before TypeScript 5.7, `Uint8Array` is not generic. */
export type OwnBytes = ReturnType<Uint8Array["slice"]>;
