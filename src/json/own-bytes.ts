/**
 * `Uint8Array<ArrayBuffer>`: bytes that are not shared. Written in a way that TypeScript before 5.7 reads, too, where
 * `Uint8Array` is not generic.
 */
export type OwnBytes = ReturnType<Uint8Array["slice"]>;
