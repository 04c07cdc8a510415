-- store_deleted_actor: records for six hours that the actor with this URI deleted itself.
-- $1 uri text
-- rows: none
-- plan: one row by key
insert into tombstones as t (uri) values ($1) on conflict (uri) do update set created_at = now()
