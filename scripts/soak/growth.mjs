/**
 * The growth of a measured value from the first to the last sample, by a least-squares line, with half of its 95 %
 * confidence interval.
 */
export function growthOf(points) {
  const count = points.length;
  if (count < 3) throw new Error(`${count} samples are too few: let the soak run for longer`);
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const mean = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const spreadX = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - mean), 0) / spreadX;
  const residual = points.reduce((sum, [x, y]) => sum + (y - mean - slope * (x - meanX)) ** 2, 0);
  const measured = points.at(-1)[0] - points[0][0];
  const error = 2 * Math.sqrt(residual / (count - 2) / spreadX);
  return { growth: slope * measured, error: error * measured, mean };
}
