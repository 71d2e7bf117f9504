/** Texts for which careless code would take very long. */
import { parseMeetingLink } from "notetaker-sdk";
import { expect, it } from "vitest";
import { cpuTimeOf } from "../support/cpu-time.js";

it.each([
  "https://",
  "a",
  "a.",
  "-",
  "&amp;",
  "&",
  "https://www.google.com/url?q=https%3A%2F%2F",
  ".......",
  "zoom.us/",
  "https://zoom.us/j/",
  "BEGIN:VEVENT\n ",
  "\r\n ",
  "%",
  "＠",
  "&#",
  "\\",
  "&amp;amp;",
  "<https://",
  "<https://a ",
  "https://a.b/((",
  "https://a.b/{(",
  "é",
  "https://zoom.us/j/854123456 ",
  "会",
  "a.safelinks.protection.",
  "https://www.google.com/url?q=https://www.google.com/url?q=a…",
])("parseMeetingLink reads 300,000 characters of %j in linear time", async (part) => {
  const text = part.repeat(300_000 / part.length);
  expect(await cpuTimeOf(() => parseMeetingLink(text))).toBeLessThan(3_000);
});
