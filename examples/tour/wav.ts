/** Makes a small, valid media file: a 440 Hz tone as 16-bit mono WAV. */
export function toneWav(seconds: number, sampleRate = 16_000): Uint8Array<ArrayBuffer> {
  const samples = Math.round(seconds * sampleRate);
  const wav = new DataView(new ArrayBuffer(44 + samples * 2));
  const text = (at: number, value: string) => {
    for (let i = 0; i < value.length; i++) wav.setUint8(at + i, value.charCodeAt(i));
  };
  text(0, "RIFF");
  wav.setUint32(4, 36 + samples * 2, true);
  text(8, "WAVEfmt ");
  wav.setUint32(16, 16, true);
  wav.setUint16(20, 1, true); // PCM
  wav.setUint16(22, 1, true); // mono
  wav.setUint32(24, sampleRate, true);
  wav.setUint32(28, sampleRate * 2, true);
  wav.setUint16(32, 2, true);
  wav.setUint16(34, 16, true);
  text(36, "data");
  wav.setUint32(40, samples * 2, true);
  for (let i = 0; i < samples; i++) {
    wav.setInt16(44 + i * 2, Math.sin((i / sampleRate) * 2 * Math.PI * 440) * 8_000, true);
  }
  return new Uint8Array(wav.buffer);
}
