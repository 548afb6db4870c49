CREATE TABLE "offer_reads" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
