/** Converts between positions in the log and the ids that browsers send back. */

/** A position in the log: after the entry with this number. */
export interface LogPosition {
  epoch: string;
  number: number;
}

export const positionId = ({ epoch, number }: LogPosition): string => `${epoch}-${number}`;

/** The position that an id names, or `undefined` if this log cannot have returned it. */
export function parsePosition(id: string): LogPosition | undefined {
  const [, epoch, digits] = /^([\da-f]{8})-([1-9]\d{0,15})$/.exec(id) ?? [];
  if (epoch === undefined || digits === undefined) return undefined;
  const number = Number(digits);
  return Number.isSafeInteger(number) ? { epoch, number } : undefined;
}
