/**
 * What only a page can do: uploads that report their progress.
 *
 * @module notetaker-sdk/browser
 */
export { type XhrFetch, xhrFetch } from "./xhr-fetch.js";
