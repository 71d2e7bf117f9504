/**
 * `notetaker-sdk/transcript`: pure functions on transcripts, for any runtime.
 * @module notetaker-sdk/transcript
 */
export { type CaptionOptions, toSrt, toVtt } from "./captions.js";
export { type Chunk, type ChunkOptions, chunks } from "./chunks.js";
export { type FoundQuote, findQuotes, type QuotePlace } from "./find-quotes.js";
export { formatTime } from "./format-time.js";
export { type SearchMatch, search } from "./search.js";
export { speakerName } from "./speaker-name.js";
export { type FrontMatterValue, type MarkdownOptions, toMarkdown } from "./to-markdown.js";
export { toText } from "./to-text.js";
export { type TurnOptions, turns } from "./turns.js";
export type { Spoken, SpokenTranscript, Turn } from "./types.js";
