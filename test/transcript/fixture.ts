/** What Ada says, or Bob, the second speaker. */
export const said = (...lines: readonly (readonly [start: number, end: number, text: string, speaker?: 1 | 2])[]) => ({
  speakers: [
    { id: "spk_1", name: "Ada" },
    { id: "spk_2", name: "Bob" },
  ] as const,
  segments: lines.map(([start_time, end_time, text, speaker = 1]) => ({
    speaker_id: `spk_${speaker}` as const,
    start_time,
    end_time,
    text,
  })),
});
