/** The recording of a meeting without an uploaded file: two seconds of a soft tone, as a WAV file. */

const SAMPLES_PER_SECOND = 8_000;
const SAMPLES = 2 * SAMPLES_PER_SECOND;
const HERTZ = 440;
/** Eight-bit samples are centred on 128. */
const CENTRE = 128;
const AMPLITUDE = 24;

/** PCM, one channel, 8 bits, in fields of four bytes. */
const HEADER = [
  ...["RIFF", 36 + SAMPLES, "WAVE"],
  ...["fmt ", 16, 0x0001_0001, SAMPLES_PER_SECOND, SAMPLES_PER_SECOND, 0x0008_0001],
  ...["data", SAMPLES],
];

/** The WAV file. It has the same bytes each time. */
export function tone(): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(4 * HEADER.length + SAMPLES);
  const view = new DataView(file.buffer);
  for (const [index, field] of HEADER.entries()) {
    if (typeof field === "number") view.setUint32(4 * index, field, true);
    else file.set(new TextEncoder().encode(field), 4 * index);
  }
  for (let index = 0; index < SAMPLES; index++) {
    const phase = (2 * Math.PI * HERTZ * index) / SAMPLES_PER_SECOND;
    file[4 * HEADER.length + index] = CENTRE + Math.round(AMPLITUDE * Math.sin(phase));
  }
  return file;
}
