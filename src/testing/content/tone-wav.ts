/** The recording of a meeting without an uploaded file: a soft tone, as a WAV file. */

const SAMPLES_PER_SECOND = 8_000;
/** The samples of one wave of the tone, which has 444 hertz. */
const PERIOD = 18;
const LOWEST = 128 - PERIOD / 2;
/** The length without a transcript, and the maximum: an hour has 29 MB. */
const MIN_SECONDS = 2;
const MAX_SECONDS = 3_600;

/** PCM, one channel, 8 bits, in fields of four bytes. */
const headerOf = (samples: number) => [
  ...["RIFF", 36 + samples, "WAVE"],
  ...["fmt ", 16, 0x0001_0001, SAMPLES_PER_SECOND, SAMPLES_PER_SECOND, 0x0008_0001],
  ...["data", samples],
];

/** A WAV file of this length, from two seconds to an hour. It has the same bytes each time. */
export function tone(seconds: number): Uint8Array<ArrayBuffer> {
  const samples = SAMPLES_PER_SECOND * Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS);
  const header = headerOf(samples);
  const file = new Uint8Array(4 * header.length + samples);
  for (let index = 0; index < file.length; index++) file[index] = LOWEST + (index % PERIOD);
  const view = new DataView(file.buffer);
  for (const [index, field] of header.entries()) {
    if (typeof field === "number") view.setUint32(4 * index, field, true);
    else file.set(new TextEncoder().encode(field), 4 * index);
  }
  return file;
}
