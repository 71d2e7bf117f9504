/**
 * The member of a request's init through which a `fetch` reports how many bytes of the body it has sent. The browser's
 * own `fetch` ignores it; `xhrFetch` calls it. The symbol is registered globally, because the client and `xhrFetch` may
 * come from two copies of the package.
 */
export const UPLOAD_PROGRESS: unique symbol = /* @__PURE__ */ Symbol.for("notetaker-sdk.uploadProgress");

export interface UploadProgressInit {
  [UPLOAD_PROGRESS]?: (sentBytes: number) => void;
}
