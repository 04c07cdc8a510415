-- remove_all: removes blocks of usernames, and records that in the audit log.
-- $1 moderator bigint
-- $2 ids bigint[]
-- rows: one a block that there was
-- plan: no sequential scan
with removed as (
  delete from username_blocks b where b.id = any ((select $2::bigint[])::bigint[]) returning b.id, b.username
), logged as materialized (
  select removed.id, log_action($1, 'destroy', 'UsernameBlock', removed.id, removed.username) from removed
)
select logged.id from logged
