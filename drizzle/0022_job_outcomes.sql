CREATE TABLE "job_outcomes" (
	"job" text NOT NULL,
	"outcome" text NOT NULL,
	"attempts" bigint NOT NULL,
	"seconds" double precision NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "job_outcomes_job_outcome_pk" PRIMARY KEY("job","outcome")
);
--> statement-breakpoint
CREATE INDEX "billing_events_open" ON "billing_events" USING btree ("received_at") WHERE "billing_events"."processed_at" IS NULL;--> statement-breakpoint
CREATE INDEX "mail_outbox_unsent" ON "mail_outbox" USING btree ("created_at") WHERE "mail_outbox"."sent_at" IS NULL;