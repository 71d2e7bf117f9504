/** The result, or after `ms` an error that says what was waited for. */
export async function within(ms, result, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms / 1_000} s in vain for ${what()}`)), ms);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
