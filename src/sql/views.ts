/** The views of the store: what is inside of transcripts and rows. What cannot be read is left out. */
import type { Dialect } from "./syntax.js";

/** The list in a field of a JSON column of Postgres. */
const list = (json: string) => `CASE jsonb_typeof(${json}) WHEN 'array' THEN ${json} ELSE '[]' END`;
const seconds = (field: string) =>
  `CASE jsonb_typeof(s.segment -> '${field}') WHEN 'number' THEN (s.segment ->> '${field}')::float8 END AS ${field}`;

export const VIEWS: Readonly<Record<string, Readonly<Record<Dialect, string>>>> = {
  notetaker_segments: {
    // The list of speakers is taken out of the transcript once, not once for each of its segments.
    sqlite: `SELECT m.account, m.id AS meeting_id, s.key AS position,
        coalesce(
          (SELECT nullif(p.value ->> '$.name', '') FROM json_each(speakers.value) AS p
            WHERE CASE WHEN p.type = 'object' THEN p.value ->> '$.id' END = s.value ->> '$.speaker_id' LIMIT 1),
          s.value ->> '$.speaker_id'
        ) AS speaker,
        s.value ->> '$.start_time' AS start_time, s.value ->> '$.end_time' AS end_time, s.value ->> '$.text' AS text
      FROM notetaker_meetings AS m
      CROSS JOIN json_each(json_array(
        CASE WHEN json_valid(m.transcript) AND json_type(m.transcript, '$.speakers') = 'array'
          THEN m.transcript -> '$.speakers' END
      )) AS speakers
      CROSS JOIN json_each(CASE WHEN json_valid(m.transcript) THEN m.transcript END, '$.segments') AS s
      WHERE s.type = 'object' AND typeof(s.key) = 'integer'`,
    // With OFFSET 0, a transcript is unpacked once, not once for each of its segments.
    postgres: `SELECT m.account, m.id AS meeting_id, (s.number - 1)::integer AS position,
        coalesce(nullif(t.names ->> (s.segment ->> 'speaker_id'), ''), s.segment ->> 'speaker_id') AS speaker,
        ${seconds("start_time")}, ${seconds("end_time")}, s.segment ->> 'text' AS text
      FROM notetaker_meetings AS m
      CROSS JOIN LATERAL (
        SELECT ${list("m.transcript -> 'segments'")} AS segments,
          (SELECT jsonb_object_agg(p ->> 'id', p -> 'name')
            FROM jsonb_array_elements(${list("m.transcript -> 'speakers'")}) AS p WHERE p ->> 'id' IS NOT NULL) AS names
        OFFSET 0
      ) AS t
      CROSS JOIN LATERAL jsonb_array_elements(t.segments) WITH ORDINALITY AS s(segment, number)
      WHERE jsonb_typeof(s.segment) = 'object'`,
  },
  notetaker_participants: {
    sqlite: `SELECT m.account, m.id AS meeting_id, p.key AS position, p.value ->> '$.name' AS name,
        p.value ->> '$.email' AS email, p.value ->> '$.title' AS title, p.value ->> '$.company' AS company
      FROM notetaker_meetings AS m
      CROSS JOIN json_each(CASE WHEN json_valid(m.meeting) THEN m.meeting END, '$.participants') AS p
      WHERE p.type = 'object' AND typeof(p.key) = 'integer'`,
    postgres: `SELECT m.account, m.id AS meeting_id, (p.number - 1)::integer AS position, p.person ->> 'name' AS name,
        p.person ->> 'email' AS email, p.person ->> 'title' AS title, p.person ->> 'company' AS company
      FROM notetaker_meetings AS m
      CROSS JOIN LATERAL jsonb_array_elements(${list("m.meeting -> 'participants'")})
        WITH ORDINALITY AS p(person, number)
      WHERE jsonb_typeof(p.person) = 'object'`,
  },
};
