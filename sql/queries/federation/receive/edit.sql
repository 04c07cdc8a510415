-- edit: changes a status of another server (receive_edit).
-- $1 status bigint
-- $2 author bigint
-- $3 content text
-- $4 spoiler_text text
-- $5 sensitive boolean
-- $6 language text
-- $7 updated timestamptz
-- $8 mentioned bigint[]
-- $9 tags text[]
-- $10 display_tags text[]
-- $11 media jsonb
-- $12 poll jsonb
-- $13 quote_policy text
-- $14 has_link boolean
-- rows: one, or none when the author has no such status; poll_id: a poll whose end is to be
--   scheduled
-- plan: that of a function; each of its steps uses an index
select e.edited, e.poll_id, e.events
from receive_edit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) e
