-- store_tombstone: records for six hours that the object with this URI was deleted or undone.
-- $1 uri text
-- rows: none
-- plan: one row by key
insert into tombstones as t (uri) values ($1) on conflict (uri) do update set created_at = now()
