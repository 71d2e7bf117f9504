/** Writes what was received of a meeting. What the store refuses of it holds nothing else back. */
import { type Answers, conclude } from "./examine.js";
import type { Finding } from "./finding.js";
import { parseMemory } from "./memory.js";
import { type News, newsOf } from "./news.js";
import type { Run } from "./run-parts.js";

/** All at once; if the store refuses that, the row, then one piece after the other, then what is missing. */
export async function writeMeeting({ plan, writer }: Run, news: News, answers: Answers): Promise<void> {
  let current: News | undefined = news;
  let finding: Finding | undefined;
  const write = async (some: Answers) => {
    finding = current && conclude(current, some, Date.now(), plan.patience);
    const refusal = finding && (await writer.write(finding));
    if (finding === undefined || refusal !== undefined) return refusal;
    const known = parseMemory(finding.item.memory);
    current = newsOf(news.row, known, { wanted: plan.wanted, event: false, nowMs: Date.now() });
    return undefined;
  };
  if ((await write(answers)) === undefined) return;
  const refusal = await write(new Map());
  if (refusal !== undefined && finding !== undefined) return writer.refuse(finding, refusal);
  const taken = new Map(answers);
  for (const [name, answer] of answers) {
    const refused = (answer.transcript ?? answer.document) && (await write(new Map([[name, answer]])));
    if (refused === undefined) continue;
    taken.set(name, {
      missing: { what: name, reason: "failed", retryable: true, message: refused, isRefused: true },
    });
  }
  await write(taken);
}
