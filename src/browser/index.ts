/**
 * What only a page can do: uploads that report their progress.
 *
 * @packageDocumentation
 */
export { type XhrFetch, xhrFetch } from "./xhr-fetch.js";
