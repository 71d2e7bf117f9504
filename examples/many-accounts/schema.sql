-- The customers, beside the tables of the store. All rows of a customer refer to the customer's own: they go with it, and
-- what a job writes after that is refused. One process at a time changes them, and no transaction replaces two views:
-- another process may be reading the second one, and wait for the first. A new column is the last one of its view, and an
-- older process leaves that view alone. This file takes no column from a view: for that, run this before you deploy it:
-- DROP VIEW IF EXISTS customer_details, customer_problems, customer_states;
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('customers'));

CREATE TABLE IF NOT EXISTS customers (
  id text COLLATE "C" PRIMARY KEY,
  token text NOT NULL, -- encrypted, as KEY.DATA
  refused text, -- why the service has refused the token: no job runs for the customer until there is a new one
  leaving boolean NOT NULL DEFAULT false,
  joined_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz, -- when the whole history had been read
  webhook_due_at timestamptz NOT NULL DEFAULT now() -- when somebody looks whether its webhook is there
);
CREATE TABLE IF NOT EXISTS customer_webhooks (
  id text PRIMARY KEY,
  customer text COLLATE "C" NOT NULL REFERENCES customers ON DELETE CASCADE,
  secret text NOT NULL, -- encrypted
  replaced boolean NOT NULL DEFAULT false, -- another one is to be made
  ended_at timestamptz -- the webhook was replaced; its last deliveries may still come
);
-- The jobs that the queue has given up. A later tick finds the meetings.
CREATE TABLE IF NOT EXISTS given_up (
  customer text COLLATE "C" NOT NULL REFERENCES customers ON DELETE CASCADE,
  job text NOT NULL, meeting_id text, error text NOT NULL, at timestamptz NOT NULL DEFAULT now()
);
-- What somebody has to be told: that it began, and later that it is over. Without a customer, it is of all.
CREATE TABLE IF NOT EXISTS alerts (
  customer text COLLATE "C" NOT NULL, problem text NOT NULL, message text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(), over_at timestamptz, told boolean NOT NULL DEFAULT false,
  PRIMARY KEY (customer, problem)
);

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'of_customer') THEN
    ALTER TABLE notetaker_accounts ADD CONSTRAINT of_customer
      FOREIGN KEY (account) REFERENCES customers ON DELETE CASCADE;
    ALTER TABLE notetaker_meetings ADD FOREIGN KEY (account) REFERENCES notetaker_accounts ON DELETE CASCADE;
    ALTER TABLE notetaker_documents ADD FOREIGN KEY (account) REFERENCES notetaker_accounts ON DELETE CASCADE;
    ALTER TABLE notetaker_memory ADD FOREIGN KEY (account) REFERENCES notetaker_accounts ON DELETE CASCADE;
  END IF;
  IF to_regclass('incomplete_meetings') IS NULL THEN
    CREATE INDEX incomplete_meetings ON notetaker_meetings (account) WHERE NOT complete;
  END IF;
END $$;
COMMIT;

BEGIN;
SELECT pg_advisory_xact_lock(hashtext('customers'));
-- A replaced webhook's secret is accepted for ten minutes: the service repeats a delivery for less than two.
CREATE OR REPLACE VIEW customer_secrets AS
SELECT id AS customer, array(SELECT secret FROM customer_webhooks WHERE customer = customers.id
  AND coalesce(ended_at > now() - interval '10 min', true)) AS secrets
FROM customers WHERE NOT leaving;
COMMIT;

BEGIN;
SELECT pg_advisory_xact_lock(hashtext('customers'));
-- Late: the list was not read for three minutes, whatever the reason is, and until it is read; or for an hour, if nobody was
-- told that it is late, there is no error, and a run has just ended or holds the account: a poll with much to read takes
-- several, and a killed worker's run holds it for minutes.
CREATE OR REPLACE VIEW customer_states AS
SELECT *, CASE WHEN leaving THEN 'leaving' WHEN refused IS NOT NULL THEN 'refused' WHEN late THEN 'late'
  WHEN read_at IS NULL THEN 'reading its history' WHEN polled_at >= now() - interval '3 min' THEN 'up to date'
  ELSE 'catching up' END AS state,
  (SELECT held_until FROM notetaker_accounts WHERE account = states.id AND held_until > now())
FROM (
  SELECT id, leaving, refused, joined_at, read_at, polled_at, failing_since, error, next_at,
    refused IS NULL AND NOT leaving AND coalesce(polled_at, joined_at) < now() - CASE WHEN error IS NULL
      AND greatest(next_at, held_until) > now() - interval '2 min'
      AND NOT EXISTS (SELECT FROM alerts WHERE customer = id AND problem = 'late' AND over_at IS NULL)
      THEN interval '1 hour' ELSE interval '3 min' END AS late,
    webhook_due_at, refused IS NULL AND NOT leaving AND webhook_due_at <= now() AS webhook_due
  FROM customers LEFT JOIN notetaker_accounts ON account = id
) AS states;
COMMIT;

BEGIN;
SELECT pg_advisory_xact_lock(hashtext('customers'));
-- What is wrong with whom, and one problem for each cause: while the list fails, everything else does. Events that were
-- given up are none: if no poll finds their meetings, the customer is late.
CREATE OR REPLACE VIEW customer_problems AS
SELECT id AS customer, 'late' AS problem,
  concat('the list was not read to its end since ', coalesce(polled_at, joined_at)::timestamptz(0), ': ', coalesce(error,
    'a run holds it until ' || held_until::timestamptz(0) || ', perhaps of a worker that was killed',
    'no run has read it, see the log of the workers')) AS message
FROM customer_states WHERE late
UNION ALL SELECT id, 'refused', refused FROM customer_states WHERE refused IS NOT NULL AND NOT leaving
UNION ALL SELECT id, 'failing', concat('since ', failing_since::timestamptz(0), ': ', error) FROM customer_states
  WHERE failing_since < now() - interval '15 min' AND refused IS NULL AND NOT leaving
UNION ALL SELECT id, 'webhook', concat('to be made, replaced or looked at since ', webhook_due_at::timestamptz(0), ': ',
    coalesce((SELECT error FROM given_up WHERE customer = id AND job = 'join' AND at >= webhook_due_at
      ORDER BY at DESC LIMIT 1), 'see the log of the workers')) FROM customer_states
  WHERE webhook_due AND NOT late AND webhook_due_at < now() - interval '15 min'
UNION ALL SELECT id, 'cannot leave', (SELECT concat('since ', min(at)::timestamptz(0), ': ',
    (array_agg(error ORDER BY at DESC))[1]) FROM given_up WHERE customer = id AND job = 'leave')
  FROM customer_states WHERE leaving AND EXISTS (SELECT FROM given_up WHERE customer = id AND job = 'leave')
UNION ALL SELECT account, 'incomplete', concat(count(*), ' meetings, since ', min(changed_at)::timestamptz(0), ', such as ',
    (array_agg(concat(piece->>'meeting_id', ', ', piece->>'what', ': ', piece->>'message') ORDER BY changed_at))[1])
  FROM customer_states AS s JOIN notetaker_meetings ON account = s.id AND NOT complete AND NOT gone
    AND changed_at < now() - interval '15 min'
    CROSS JOIN LATERAL jsonb_path_query_first(missing, '$[*] ? (@.reason == "failed" && @.retryable == true && !(@.status == 429))') AS piece
  WHERE piece IS NOT NULL AND NOT late AND refused IS NULL AND NOT s.leaving GROUP BY account;
COMMIT;

BEGIN;
SELECT pg_advisory_xact_lock(hashtext('customers'));
-- Everything about a customer.
CREATE OR REPLACE VIEW customer_details AS
SELECT s.id, state, joined_at, read_at, polled_at, next_at, failing_since, coalesce(refused, error) AS error,
  held_until, meetings, incomplete,
  array(SELECT problem || ': ' || message FROM customer_problems WHERE customer = s.id) AS problems,
  array(SELECT id FROM customer_webhooks WHERE customer = s.id AND ended_at IS NULL) AS webhooks, webhook_due,
  (SELECT coalesce(jsonb_agg(g), '[]') FROM (SELECT job, meeting_id, error, at FROM given_up WHERE customer = s.id
    ORDER BY at DESC LIMIT 10) AS g) AS given_up
FROM customer_states AS s CROSS JOIN LATERAL (SELECT count(*)::int AS meetings,
  (count(*) FILTER (WHERE NOT complete))::int AS incomplete FROM notetaker_meetings WHERE account = s.id) AS counts;
COMMIT;

BEGIN;
SELECT pg_advisory_xact_lock(hashtext('customers'));
-- What has begun, and what is over. Jobs that wait for two minutes concern all customers.
CREATE OR REPLACE FUNCTION update_alerts(queues jsonb) RETURNS void LANGUAGE sql AS $$
  WITH problems AS (
    SELECT customer, problem, message FROM customer_problems
    UNION ALL SELECT '', concat('queue ', queue),
      concat(count, ' jobs wait, the first one for ', round(seconds), ' s: start more workers')
      FROM jsonb_to_recordset(queues) AS queues (queue text, count integer, seconds numeric) WHERE seconds >= 120
  ), begun AS (
    INSERT INTO alerts (customer, problem, message) SELECT * FROM problems
    ON CONFLICT (customer, problem) DO UPDATE SET over_at = NULL WHERE alerts.over_at IS NOT NULL
  )
  UPDATE alerts SET over_at = now()
  WHERE over_at IS NULL AND (customer, problem) NOT IN (SELECT customer, problem FROM problems)
$$;
COMMIT;
