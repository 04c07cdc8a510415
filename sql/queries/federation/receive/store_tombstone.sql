-- store_tombstone: records for six hours that an account deleted or undid the object with this URI.
-- $1 author bigint
-- $2 uri text
-- rows: none
-- plan: one row by key
insert into author_tombstones as t (uri, author_id) values ($2, $1)
on conflict (uri, author_id) do update set created_at = now()
