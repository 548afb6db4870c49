CREATE UNLOGGED TABLE "media_streams" (
	"user_id" uuid NOT NULL,
	"slot" smallint NOT NULL,
	"lease_id" uuid NOT NULL,
	"renewed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "media_streams_user_id_slot_pk" PRIMARY KEY("user_id","slot")
);
