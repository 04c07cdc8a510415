-- find_link: whether a token is that of the valid link.
-- $1 token_hash bytea
-- rows: one, or none for a token that is unknown, used or expired
-- plan: one row by key
select true as found from owner_links l where l.token_hash = $1 and l.expires_at > now()
