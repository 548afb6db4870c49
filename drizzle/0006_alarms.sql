-- What is wrong with the site, and which of it was mailed
-- Oldest build: 0004_collected

CREATE TABLE "alarms" (
	"kind" text PRIMARY KEY NOT NULL,
	"amount" bigint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"well_since" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"mailed_at" timestamp with time zone
);
