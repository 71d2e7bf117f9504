/** Waits for the result. After `ms`, throws an error that names it. */
export async function within(ms, result, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what()} did not come within ${ms / 1_000} s`)), ms);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
