-- post: stores a new status with all its effects in the same commit (post_status). The caller
-- notifies the readers of the log.
-- $1 author bigint
-- $2 text text
-- $3 content text
-- $4 spoiler_text text
-- $5 visibility visibility
-- $6 sensitive boolean
-- $7 language text
-- $8 in_reply_to bigint
-- $9 in_reply_to_account bigint
-- $10 conversation bigint
-- $11 application bigint
-- $12 quote_policy text
-- $13 mentioned bigint[]
-- $14 tags bigint[]
-- $15 tag_names text[]
-- $16 media bigint[]
-- $17 idempotency_key text
-- $18 scheduled bigint
-- $19 has_link boolean
-- $20 collections bigint[]
-- rows: one, or none when nothing was stored; with what the caller needs for rendering
-- plan: that of a function; each of its steps uses an index
select p.id, p.created_at, p.conversation_id, app.name as application_name, app.website as application_website, p.events
from post_status($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20) p
left join applications app on app.id = $11
