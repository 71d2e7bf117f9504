/** Reads WebVTT with the W3C's parser, which also reports violations of the standard. */
import { createRequire } from "node:module";

interface Node {
  type: "text" | "object" | "timestamp";
  name?: string;
  value?: string;
  children?: Node[];
}
interface ParsedCue {
  startTime: number;
  endTime: number;
  text: string;
  tree: Node;
}
interface Parsed {
  cues: ParsedCue[];
  errors: { message: string; line: number; col: number }[];
}

const require = createRequire(import.meta.url);
const { WebVTTParser } = require("webvtt-parser") as {
  WebVTTParser: new (entities: unknown) => { parse: (input: string, mode: string) => Parsed };
};
const entities: unknown = require("webvtt-parser/html-entities.json");

/** The parser does not decode the entities of an annotation. */
const decodeEntities = (text: string) =>
  text.replace(/&(amp|lt|gt);/g, (_, name: string) => ({ amp: "&", lt: "<", gt: ">" })[name] as string);

const textOf = (node: Node): string =>
  node.type === "text" ? (node.value ?? "") : (node.children ?? []).map(textOf).join("");

/** The parser adds hours, minutes and seconds in floating point. */
export const seconds = (time: number) => Math.round(time * 1000) / 1000;

/**
 * The violations of the standard, and the cues in the parser's order: of two cues with the same start, the longer
 * first.
 */
export function readWebVtt(vtt: string) {
  const { cues: parsed, errors } = new WebVTTParser(entities).parse(vtt, "subtitles");
  const cues = parsed.map(({ startTime, endTime, tree }) => {
    const [voice, ...others] = tree.children ?? [];
    if (voice?.name !== "v" || others.length > 0) throw new Error("a cue is one voice");
    return {
      startTime: seconds(startTime),
      endTime: seconds(endTime),
      voice: decodeEntities(voice.value ?? ""),
      text: textOf(voice),
    };
  });
  return { errors, cues };
}
