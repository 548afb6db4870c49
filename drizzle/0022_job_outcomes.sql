-- Oldest build: 0020_announced_changes
CREATE TABLE "job_outcomes" (
	"job" text NOT NULL,
	"outcome" text NOT NULL,
	"attempts" bigint NOT NULL,
	"seconds" double precision NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "job_outcomes_job_outcome_pk" PRIMARY KEY("job","outcome")
);
