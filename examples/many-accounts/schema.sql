-- The customers, beside the tables of the store. All rows of a customer refer to the customer's own: they go with it, and
-- what a job writes after that is refused.
SELECT pg_advisory_xact_lock(hashtext('customers'));

CREATE TABLE IF NOT EXISTS customers (
  id text COLLATE "C" PRIMARY KEY,
  token bytea NOT NULL,
  refused text, -- why the service has refused the token: the customer is parked
  leaving boolean NOT NULL DEFAULT false
);
CREATE TABLE IF NOT EXISTS customer_webhooks (
  id text PRIMARY KEY,
  customer text COLLATE "C" NOT NULL REFERENCES customers ON DELETE CASCADE,
  secret bytea NOT NULL
);

DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = 'of_customer') THEN
    ALTER TABLE notetaker_accounts ADD CONSTRAINT of_customer
      FOREIGN KEY (account) REFERENCES customers ON DELETE CASCADE;
    ALTER TABLE notetaker_meetings ADD FOREIGN KEY (account) REFERENCES notetaker_accounts ON DELETE CASCADE;
    ALTER TABLE notetaker_documents ADD FOREIGN KEY (account) REFERENCES notetaker_accounts ON DELETE CASCADE;
    ALTER TABLE notetaker_memory ADD FOREIGN KEY (account) REFERENCES notetaker_accounts ON DELETE CASCADE;
  END IF;
END $$;

-- Who is late: nothing was done for three minutes, although something is to be done.
CREATE OR REPLACE VIEW customer_states AS
SELECT id, leaving, refused, next_at, refused IS NULL AND coalesce(next_at < now() - interval '3 min', true) AS late,
  EXISTS (SELECT FROM customer_webhooks WHERE customer = customers.id) AS has_webhook
FROM customers LEFT JOIN notetaker_accounts ON account = id;
