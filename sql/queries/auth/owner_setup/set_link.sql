-- set_link: replaces the link that makes the owner's account.
-- $1 token_hash bytea
-- $2 valid_seconds integer
-- rows: one
-- plan: sequential scan of a table with at most one row
with removed as (
  delete from owner_links l where l.token_hash <> $1
)
insert into owner_links (token_hash, expires_at) values ($1, now() + make_interval(secs => $2::integer))
returning owner_links.expires_at
