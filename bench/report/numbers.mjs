/** How numbers are written: digits grouped in thousands, a median with its spread. */

export function formatNumber(value, digits = 2) {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** "1.12 (1.08 to 1.20)"; without the spread if no round differs. */
export function formatSpread(summary, digits = 2) {
  if (summary === undefined) return "";
  const [median, low, high] = [summary.median, summary.low, summary.high].map((value) => formatNumber(value, digits));
  return low === high ? median : `${median} (${low} to ${high})`;
}
