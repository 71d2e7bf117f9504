/** Formats numbers: digits in groups of three, and a median with its spread. */

export function formatNumber(value, digits = 2) {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** For example "1.12 (1.08 to 1.20)". Without the spread if all rounds are equal. */
export function formatSpread(summary, digits = 2) {
  if (summary === undefined) return "";
  const [median, low, high] = [summary.median, summary.low, summary.high].map((value) => formatNumber(value, digits));
  return low === high ? median : `${median} (${low} to ${high})`;
}
