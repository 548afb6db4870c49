-- When the visit before the present one ended; a visit is over when nothing was asked for half an hour. Right also before the
-- present visit is noted, because the page that opens it is read first.
CREATE FUNCTION previous_visit(last_seen timestamptz, noted timestamptz) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN last_seen < now() - interval '30 minutes' THEN last_seen ELSE noted END $$;--> statement-breakpoint
-- Words of descriptions can be misspelt too.
CREATE OR REPLACE FUNCTION remember_search_terms(given tsvector) RETURNS void LANGUAGE sql AS $$
  -- In one order, so that two writers never wait for each other in a circle.
  INSERT INTO search_terms SELECT lexeme FROM unnest(given)
  WHERE length(lexeme) BETWEEN 3 AND 64 ORDER BY lexeme ON CONFLICT DO NOTHING
$$;--> statement-breakpoint
INSERT INTO search_terms SELECT DISTINCT lexeme FROM media, unnest(search)
  WHERE status = 'published' AND length(lexeme) BETWEEN 3 AND 64 ON CONFLICT DO NOTHING;
