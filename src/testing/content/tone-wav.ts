/** The recording of a meeting that nobody recorded: two seconds of a soft tone, as a WAV file. */

const RATE = 8_000;
const SECONDS = 2;
let made: Uint8Array<ArrayBuffer> | undefined;

/** Eight bits, one channel, 8 kHz; the same bytes each time. */
export function tone(): Uint8Array<ArrayBuffer> {
  if (made !== undefined) return made;
  const samples = RATE * SECONDS;
  const file = new Uint8Array(44 + samples);
  const view = new DataView(file.buffer);
  const text = (offset: number, value: string) => file.set(new TextEncoder().encode(value), offset);
  text(0, "RIFF");
  view.setUint32(4, 36 + samples, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  text(36, "data");
  view.setUint32(40, samples, true);
  for (let index = 0; index < samples; index++) {
    file[44 + index] = 128 + Math.round(24 * Math.sin((2 * Math.PI * 440 * index) / RATE));
  }
  made = file;
  return file;
}
