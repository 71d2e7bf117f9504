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
  customer text COLLATE "C" NOT NULL, problem text NOT NULL, cause text NOT NULL, message text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(), told_at timestamptz, over_at timestamptz,
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
-- Late: the list was not read for three minutes because of an error, and until it is read if somebody was told. Without an
-- error, a customer waits for a worker, which is no customer's problem: late after ten minutes; or after an hour, if a run
-- has just ended or holds the account: a poll with much to read takes several, and a killed worker's run holds it for minutes.
CREATE OR REPLACE VIEW customer_states AS
SELECT *, CASE WHEN leaving THEN 'leaving' WHEN refused IS NOT NULL THEN 'refused' WHEN late THEN 'late'
  WHEN NOT runs AND unread > interval '3 min' THEN 'waiting' WHEN read_at IS NULL THEN 'reading its history'
  WHEN unread <= interval '3 min' THEN 'up to date' ELSE 'catching up' END AS state,
  (SELECT held_until FROM notetaker_accounts WHERE account = read.id AND held_until > now())
FROM (
  SELECT *, refused IS NULL AND NOT leaving AND unread > CASE WHEN error IS NOT NULL
      OR EXISTS (SELECT FROM alerts WHERE customer = id AND problem = 'late' AND over_at IS NULL) THEN interval '3 min'
      WHEN runs THEN interval '1 hour' ELSE interval '10 min' END AS late
  FROM (
    SELECT id, leaving, refused, joined_at, read_at, polled_at, failing_since, error, next_at, webhook_due_at,
      refused IS NULL AND NOT leaving AND webhook_due_at <= now() AS webhook_due,
      now() - coalesce(polled_at, joined_at) AS unread,
      coalesce(greatest(next_at, held_until) > now() - interval '2 min', false) AS runs
    FROM customers LEFT JOIN notetaker_accounts ON account = id
  ) AS states
) AS read;
COMMIT;

BEGIN;
SELECT pg_advisory_xact_lock(hashtext('customers'));
-- What is wrong with whom, and one problem for each cause: while the list fails, everything else does. Events that were
-- given up are none: if no poll finds their meetings, the customer is late.
CREATE OR REPLACE VIEW customer_problems AS
SELECT customer, problem, concat('since ' || since::timestamptz(0) || ': ', detail, cause) AS message,
  CASE WHEN cause ~ 'the service asked for a pause|answered 429' THEN 'the limits of the account are used up'
    ELSE regexp_replace(regexp_replace(cause, ', request \S+$', ''), '\m(mtg_\w+|\d{4,}|\d+(?= m?s\M))', '…', 'g') END AS cause
FROM (
  SELECT id AS customer, 'late' AS problem, coalesce(polled_at, joined_at) AS since, '' AS detail, coalesce(error,
    CASE WHEN held_until IS NOT NULL THEN 'a run holds it, perhaps of a worker that was killed'
      ELSE 'no run has read it, see the log of the workers' END) AS cause
  FROM customer_states WHERE late
  UNION ALL SELECT id, 'refused', NULL, '', refused FROM customer_states WHERE state = 'refused'
  UNION ALL SELECT id, 'failing', failing_since, '', error FROM customer_states
    WHERE failing_since < now() - interval '15 min' AND state NOT IN ('refused', 'leaving')
  UNION ALL SELECT id, 'webhook', webhook_due_at, 'to be made, replaced or looked at: ',
    coalesce((SELECT error FROM given_up WHERE customer = id AND job = 'join' AND at >= webhook_due_at
      ORDER BY at DESC LIMIT 1), 'see the log of the workers') FROM customer_states
    WHERE webhook_due AND NOT late AND webhook_due_at < now() - interval '15 min'
  UNION ALL SELECT id, 'cannot leave', min(at), '', (array_agg(g.error ORDER BY at DESC))[1]
    FROM customer_states JOIN given_up AS g ON customer = id AND job = 'leave' WHERE leaving GROUP BY id
  UNION ALL SELECT account, 'incomplete', min(changed_at), concat(count(*), ' meetings, such as ',
      (array_agg(piece->>'meeting_id' ORDER BY changed_at))[1], ', '),
    (array_agg(concat(piece->>'what', ': ', piece->>'message') ORDER BY changed_at))[1]
    FROM customer_states AS s JOIN notetaker_meetings ON account = s.id AND NOT complete AND NOT gone
      AND changed_at < now() - interval '15 min'
      CROSS JOIN LATERAL jsonb_path_query_first(missing, '$[*] ? (@.reason == "failed" && @.retryable == true && !(@.status == 429))') AS piece
    WHERE piece IS NOT NULL AND state NOT IN ('late', 'refused', 'leaving') GROUP BY account
) AS problems;
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
-- What has begun, and what is over. Jobs that wait for two minutes concern all customers. Nobody is told of what was over
-- before it was time.
CREATE OR REPLACE FUNCTION update_alerts(queues jsonb, wait interval) RETURNS void LANGUAGE sql AS $$
  WITH problems AS (
    SELECT customer, problem, cause, message FROM customer_problems
    UNION ALL SELECT '', concat('queue ', queue), 'too few workers',
      concat(count, ' jobs wait, the first one for ', round(seconds), ' s: start more workers')
      FROM jsonb_to_recordset(queues) AS queues (queue text, count integer, seconds numeric) WHERE seconds >= 120
  ), begun AS (
    INSERT INTO alerts (customer, problem, cause, message) SELECT * FROM problems
    ON CONFLICT (customer, problem) DO UPDATE SET over_at = NULL WHERE alerts.over_at IS NOT NULL
  )
  UPDATE alerts SET over_at = now()
  WHERE over_at IS NULL AND (customer, problem) NOT IN (SELECT customer, problem FROM problems);
  DELETE FROM alerts WHERE told_at IS NULL AND over_at < since + wait
$$;
-- What somebody is to be told of: all customers with one problem of one cause at once, and later those who have it as well.
CREATE OR REPLACE VIEW notices AS
SELECT problem, cause, min(since) AS since, (array_agg(message ORDER BY since))[1] AS message,
  CASE WHEN count(told_at) = 0 THEN 'begins' WHEN bool_and(over_at IS NOT NULL) THEN 'is over' ELSE 'goes on' END AS state,
  array_remove(array_agg(customer ORDER BY customer), '') AS customers,
  min(since) FILTER (WHERE told_at IS NULL) AS untold_since, max(told_at) AS told_at
FROM alerts GROUP BY problem, cause
HAVING bool_or(told_at IS NULL) OR bool_and(over_at IS NOT NULL);
COMMIT;
