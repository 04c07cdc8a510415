-- lock_link: the valid link with a token, locked until the end of the transaction.
-- $1 token_hash bytea
-- rows: one, or none for a token that is unknown, used or expired
-- plan: one row by key
select true as found from owner_links l where l.token_hash = $1 and l.expires_at > now() for update
