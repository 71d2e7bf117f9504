/**
 * Asks a language model about a meeting of any length: the model makes notes on each chunk of the transcript, then
 * answers from the notes. What it quotes is looked up in the transcript, and printed with its speaker and time.
 *
 *   npx tsx examples/ask-transcript.ts "What was decided?" [meeting id] [--max-tokens 3000]
 *
 * The model is any command that reads a prompt and prints an answer: LLM="llm -m gpt-x", LLM="ollama run llama3".
 * Without LLM, the program prints the prompts. With NOTETAKER_BASE_URL and NOTETAKER_TOKEN set, it reads the live
 * service; otherwise it reads the embedded emulator.
 */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { chunks, findQuotes, formatTime } from "notetaker-sdk/transcript";
import { exampleClient } from "./support/client.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "max-tokens": { type: "string", default: "3000" } },
});
const [question = "What was decided, and who does what?", meetingId] = positionals;
const maxTokens = Number(values["max-tokens"]);

/** Four characters are about a token of English. For exact limits, count with the tokenizer of the model. */
const countTokens = (content: string) => Math.ceil(content.length / 4);

const notetaker = exampleClient();

/** The model's answer to a prompt. */
async function ask(prompt: string): Promise<string> {
  if (process.env.LLM === undefined) {
    console.log(`--- prompt, about ${countTokens(prompt)} tokens ---\n${prompt}\n`);
    return "(no model: set LLM to a command)";
  }
  const model = spawn(process.env.LLM, { shell: true, stdio: ["pipe", "pipe", "inherit"] });
  // A command that exits before it has read the whole prompt closes the pipe.
  model.stdin.on("error", () => {});
  model.stdin.end(prompt);
  const ended = new Promise<number | null>((resolve) => model.once("close", resolve));
  const answer = await text(model.stdout);
  if ((await ended) !== 0) throw new Error(`the command failed: ${process.env.LLM}`);
  return answer.trim();
}

/** The latest meeting that has a transcript. */
async function latestMeeting(): Promise<string> {
  for await (const { id, status } of notetaker.meetings.list({ status: "completed" }, { onInvalid: "skip" }))
    if (status === "completed") return id;
  throw new Error("there is no completed meeting");
}

const transcript = await notetaker.meetings.getTranscript(meetingId ?? (await latestMeeting()));
// Each chunk repeats the last two turns of the one before, so that the model understands references to them.
const parts = chunks(transcript, { maxTokens, countTokens, overlapTurns: 2, maxGapSeconds: 60 });
console.error(`${transcript.meeting_id}: ${parts.length} chunks of at most ${maxTokens} tokens`);

const notes: string[] = [];
for (const [index, part] of parts.entries()) {
  const instruction = [
    `Part ${index + 1} of ${parts.length} of a meeting's transcript follows.`,
    `Note in a few lines what this part says about the question, each note with the exact words: ${question}`,
  ].join(" ");
  notes.push(await ask(`${instruction}\n\n${part.text}`));
}
const answer = await ask(
  `Answer the question from these notes on a meeting. Prove each statement with the exact words that were said, in double quotation marks: ${question}\n\n${notes.join("\n\n")}`,
);
console.log(answer);

// A model may quote what nobody said, in the quotation marks of its language: the program checks it.
const MARKS = '"“”„«»‹›「」『』〝〟＂';
const QUOTATION = new RegExp(`[${MARKS}]([^${MARKS}]+)[${MARKS}]`, "g");
const quotes = [...answer.matchAll(QUOTATION)].map(([, quote = ""]) => quote);
for (const { quote, found } of findQuotes(transcript, quotes)) {
  const receipt = found === undefined ? "not said" : `${found.speaker_name}, ${formatTime(found.start_time)}`;
  console.log(`- ${quote}: ${receipt}`);
}
