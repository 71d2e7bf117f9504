/** Through it, a `fetch` such as `xhrFetch`, perhaps of another copy of the package, reports the bytes sent. */
export const UPLOAD_PROGRESS: unique symbol = /* @__PURE__ */ Symbol.for("notetaker-sdk.uploadProgress");

export interface UploadProgressInit {
  [UPLOAD_PROGRESS]?: (sentBytes: number) => void;
}
