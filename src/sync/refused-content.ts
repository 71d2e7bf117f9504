import type { DocumentFormat } from "../schemas/document.js";
import type { Finding } from "./finding.js";
import { formatMemory, parseMemory, rememberedTitle } from "./memory.js";
import { type Gap, invalidGap, missingPiece, nameOf, type Piece } from "./pieces.js";

/** The store has refused the content: the row alone, with its new pieces as missing. `undefined` if there are none. */
export function withoutContent({ item, change, size }: Finding, message: string): Finding | undefined {
  const { memory } = parseMemory(item.memory);
  const { transcript, documents, ...rest } = item;
  const pieces: Piece[] = documents.map(({ id, format }) => ({
    kind: "document",
    id,
    format: format as DocumentFormat,
  }));
  if (transcript !== undefined) pieces.unshift({ kind: "transcript" });
  if (memory === undefined || change === undefined || pieces.length === 0) return undefined;
  const names = pieces.map(nameOf);
  const refused = names.map((name) => invalidGap(name, `the store has refused it: ${message}`));
  const isOther = ({ what }: Gap) => !names.includes(what);
  const stored = new Map([...memory.stored].filter(([what]) => isOther({ what } as Gap)));
  const lacks = [...memory.missing.filter(isOther), ...refused];
  const reported = lacks.map((lack) => missingPiece({ id: item.id, title: rememberedTitle(memory) }, lack));
  const text = formatMemory({ ...memory, stored, missing: lacks });
  const changed = change.changed.filter((part) => part === "meeting" || part === "gone" || part === "recording");
  return {
    item: { ...rest, documents: [], missing: reported, memory: text },
    change: { ...change, changed, missing: reported },
    missing: reported,
    size,
  };
}
