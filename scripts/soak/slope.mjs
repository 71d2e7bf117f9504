/** The line through points by least squares, with the 95 % interval of its slope. */
export function slopeOf(points) {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const mean = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spreadX = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const perHour = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - mean), 0) / spreadX;
  const residual = points.reduce((sum, [x, y]) => sum + (y - mean - perHour * (x - meanX)) ** 2, 0);
  const error = Math.sqrt(residual / (count - 2) / spreadX);
  return { perHour, low: perHour - 2 * error, high: perHour + 2 * error, mean };
}
