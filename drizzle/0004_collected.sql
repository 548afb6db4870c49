-- What will be drawn later: the course of subscriptions, reasons, time watched, and totals of each day

CREATE TABLE subscription_changes (
  subscription_id text NOT NULL
    CONSTRAINT subscription_changes_subscription_id_subscriptions_id_fk REFERENCES subscriptions (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  number integer NOT NULL,
  at timestamptz NOT NULL,
  status subscription_status NOT NULL,
  price_id text NOT NULL CONSTRAINT subscription_changes_price_id_prices_id_fk REFERENCES prices (id),
  is_cancelled boolean NOT NULL,
  is_counted boolean NOT NULL DEFAULT false,
  CONSTRAINT subscription_changes_subscription_id_number_pk PRIMARY KEY (subscription_id, number)
);
CREATE INDEX subscription_changes_uncounted ON subscription_changes (at) WHERE NOT is_counted;
-- History begins with what is there. It did not happen today, so no day counts it.
INSERT INTO subscription_changes (subscription_id, number, at, status, price_id, is_cancelled, is_counted)
  SELECT id, 1, now(), status, price_id, cancel_at_period_end, true FROM subscriptions;

CREATE TYPE cancellation_reason AS ENUM ('price', 'littleNew', 'notFound', 'technical', 'pause', 'other');
CREATE TABLE cancellation_reasons (
  subscription_id text PRIMARY KEY
    CONSTRAINT cancellation_reasons_subscription_id_subscriptions_id_fk REFERENCES subscriptions (id)
    ON DELETE CASCADE ON UPDATE CASCADE,
  written_at timestamptz NOT NULL DEFAULT now(),
  reason cancellation_reason,
  comment text NOT NULL DEFAULT ''
);

ALTER TABLE invoices ADD COLUMN counted_paid bigint NOT NULL DEFAULT 0;
ALTER TABLE invoices ADD COLUMN counted_refunded bigint NOT NULL DEFAULT 0;
CREATE INDEX invoices_uncounted ON invoices (fetched_at)
  WHERE amount_paid <> counted_paid OR amount_refunded <> counted_refunded;

ALTER TABLE sessions ADD COLUMN is_counted boolean NOT NULL DEFAULT false;
CREATE INDEX sessions_uncounted ON sessions (signed_in_at) WHERE NOT is_counted;

-- No columns of media: reports of progress would wait for whoever edits the item.
CREATE TABLE media_counts (
  media_id uuid PRIMARY KEY CONSTRAINT media_counts_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  watched_seconds double precision NOT NULL,
  completions integer NOT NULL
);
ALTER TABLE views ADD COLUMN completed_play integer NOT NULL DEFAULT 0;
-- A completion from before is not counted when its play goes on.
UPDATE views SET completed_play = play_count WHERE completed_at IS NOT NULL;
ALTER TABLE views ADD COLUMN reported_progress double precision NOT NULL DEFAULT 0;
UPDATE views SET reported_progress = progress;

CREATE TABLE counted_media (
  media_id uuid PRIMARY KEY CONSTRAINT counted_media_media_id_media_id_fk REFERENCES media (id) ON DELETE CASCADE,
  plays integer NOT NULL,
  completions integer NOT NULL,
  watched_seconds bigint NOT NULL
);
INSERT INTO counted_media (media_id, plays, completions, watched_seconds)
  SELECT id, play_count, 0, 0 FROM media WHERE play_count > 0;

CREATE TABLE daily_totals (
  day date NOT NULL,
  kind text NOT NULL,
  key text NOT NULL DEFAULT '',
  amount bigint NOT NULL,
  CONSTRAINT daily_totals_kind_day_key_pk PRIMARY KEY (kind, day, key)
);
CREATE TABLE counted_day (
  id boolean PRIMARY KEY DEFAULT true,
  day date NOT NULL,
  CONSTRAINT counted_day_one_row CHECK (id)
);
