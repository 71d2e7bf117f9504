/** The recording of a meeting without an uploaded file: two seconds of a soft tone, as a WAV file. */

const SAMPLES_PER_SECOND = 8_000;
const SECONDS = 2;
const HERTZ = 440;
const HEADER_BYTES = 44;
/** Eight-bit samples are centred on 128. */
const CENTRE = 128;
const AMPLITUDE = 24;

let cached: Uint8Array<ArrayBuffer> | undefined;

/** A WAV file with 8 bits, one channel and 8 kHz. It has the same bytes each time. */
export function tone(): Uint8Array<ArrayBuffer> {
  cached ??= makeTone();
  return cached;
}

function makeTone(): Uint8Array<ArrayBuffer> {
  const samples = SAMPLES_PER_SECOND * SECONDS;
  const file = new Uint8Array(HEADER_BYTES + samples);
  const view = new DataView(file.buffer);
  const text = (offset: number, value: string) => file.set(new TextEncoder().encode(value), offset);
  text(0, "RIFF");
  view.setUint32(4, HEADER_BYTES - 8 + samples, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLES_PER_SECOND, true);
  view.setUint32(28, SAMPLES_PER_SECOND, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, "data");
  view.setUint32(40, samples, true);
  for (let index = 0; index < samples; index++) {
    const phase = (2 * Math.PI * HERTZ * index) / SAMPLES_PER_SECOND;
    file[HEADER_BYTES + index] = CENTRE + Math.round(AMPLITUDE * Math.sin(phase));
  }
  return file;
}
