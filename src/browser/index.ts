/**
 * `notetaker-sdk/browser`: uploads that report their progress, for web pages.
 *
 * @module notetaker-sdk/browser
 */
export { type XhrFetch, xhrFetch } from "./xhr-fetch.js";
