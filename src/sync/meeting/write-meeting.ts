/** Writes what was received of a meeting. What the store refuses of it holds nothing else back. */

import type { Run } from "../run/run.js";
import { type Answers, conclude } from "./conclude.js";
import type { Finding } from "./finding.js";
import { parseMemory } from "./memory.js";
import { type News, newsOf } from "./news.js";
import { refusedGap } from "./pieces.js";

type Step =
  /** `left`: what is still to be written of the meeting. */
  | { readonly is: "stored"; readonly left: News | undefined }
  | { readonly is: "refused"; readonly finding: Finding; readonly refusal: string }
  /** The meeting is asked for anew. */
  | { readonly is: "conflict" };

/** All at once; if the store refuses that, the row, then one piece after the other, then what is missing. */
export async function writeMeeting(run: Run, news: News, answers: Answers): Promise<void> {
  const whole = await writeSome(run, news, answers);
  if (whole.is !== "refused") return;
  const row = await writeSome(run, news, new Map());
  const last = row.is === "stored" ? await writeEach(run, row.left, answers) : row;
  if (last.is === "refused") run.writer.refuse(last.finding, refusedGap("meeting", last.refusal));
}

async function writeEach(run: Run, news: News | undefined, answers: Answers): Promise<Step> {
  const taken = new Map(answers);
  let left = news;
  for (const [name, answer] of answers) {
    if (left === undefined) break;
    if (answer.transcript === undefined && answer.document === undefined) continue;
    const piece = await writeSome(run, left, new Map([[name, answer]]));
    if (piece.is === "conflict") return piece;
    if (piece.is === "stored") left = piece.left;
    else taken.set(name, { missing: refusedGap(name, piece.refusal) });
  }
  return left === undefined ? { is: "stored", left } : writeSome(run, left, taken);
}

/** Writes the row, and these answers. */
async function writeSome({ plan, report, writer }: Run, news: News, answers: Answers): Promise<Step> {
  const finding = conclude(news, answers, Date.now(), plan.patience);
  if (finding === undefined) {
    report.stays(news.row.meeting, news.known.memory);
    return { is: "stored", left: news };
  }
  const result = await writer.write(finding);
  if (result === "conflict") return { is: "conflict" };
  if (result !== "written") return { is: "refused", finding, ...result };
  const known = parseMemory(finding.item.memory);
  const left = newsOf(news.row, known, { wanted: plan.wanted, event: false, nowMs: Date.now() });
  return { is: "stored", left };
}
