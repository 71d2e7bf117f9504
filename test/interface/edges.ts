/** Values of the transcription's types that a request may contain, and values that it may not. */
import { CONFERENCE_LINKS, type FieldType } from "./interface.js";
import { fieldsOf, sampleOf } from "./sample.js";

const otherCase = (text: string) => (text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase());

/** Values just inside a rule, which are sent, and values just outside, which are refused. */
export function edges(type: FieldType): { good: readonly unknown[]; bad: readonly unknown[] } {
  const noText = [5, true, {}, [], null];
  switch (type.kind) {
    case "string":
      return { good: ["text", "é 日 😀&=#"], bad: noText };
    case "text":
      return {
        // Each character counts as one, even if it takes two UTF-16 units.
        good: ["", "t".repeat(type.max), "😀".repeat(type.max)],
        bad: ["t".repeat(type.max + 1), "😀".repeat(type.max + 1), ...noText],
      };
    case "id": {
      const { prefix } = type;
      return {
        good: [`${prefix}1`, `${prefix}A-b_9.~`],
        bad: ["", "1", prefix, `other_${prefix}1`, ...["a/b", "..", "a\nb"].map((rest) => prefix + rest), ...noText],
      };
    }
    case "enum": {
      const [first = ""] = type.values;
      const bad = type.open ? ["", ...noText] : ["added_later", "", `${first} `, otherCase(first), ...noText];
      return { good: type.values, bad };
    }
    case "date": {
      const impossible = ["2026-02-29", "2026-13-01", "2026-00-01", "2026-3-1", "31.05.2025"];
      return {
        good: ["2025-05-31", "2028-02-29"],
        bad: [...impossible, "2026-03-01x", "2026-03-01T00:00:00Z", "", ...noText],
      };
    }
    case "url": {
      const url = (length: number) => "https://a.example/".padEnd(length, "x");
      return {
        good: [url(type.max), "http://localhost:1/x"],
        bad: [url(type.max + 1), "http://a.example", "ftp://a.example/", "a.example", "", ...noText],
      };
    }
    case "conference link": {
      const link = (length: number) => CONFERENCE_LINKS.accepted[0].padEnd(length, "1");
      return {
        good: [...CONFERENCE_LINKS.accepted, link(type.max)],
        bad: [...CONFERENCE_LINKS.refused, link(type.max + 1), ...noText],
      };
    }
    case "integer": {
      const { min = 0, max = 0 } = type;
      return { good: [min, max], bad: [min - 1, max + 1, min + 0.5, "5", true, {}, [], null] };
    }
    case "boolean":
      return { good: [true, false], bad: ["true", 1, {}, [], null] };
    case "object": {
      const wrong = fieldsOf(type.of).flatMap(({ name, type: of }) => edges(of).bad.map((one) => ({ [name]: one })));
      return { good: [sampleOf(type)], bad: [5, true, "x", [], null, {}, ...wrong] };
    }
    case "array": {
      const item = edges(type.of);
      const wrong = item.bad.map((one) => [item.good[0], one]);
      return {
        good: [item.good, [item.good[0]]],
        bad: [...(type.min === 1 ? [[]] : []), ...wrong, "x", 5, true, {}, null],
      };
    }
    default:
      throw new Error(`${type.kind} is not sent`);
  }
}
