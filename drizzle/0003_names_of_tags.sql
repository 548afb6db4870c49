-- A name is looked up among all tags for each tag of an import.

CREATE INDEX tags_key ON tags (replace(lower(f_unaccent(name)), ' ', ''));
