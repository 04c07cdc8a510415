-- remove: removes the block of a username, in any spelling, and records that in the audit log.
-- $1 moderator bigint
-- $2 username text
-- rows: one when it was blocked
-- plan: no sequential scan
with removed as (
  delete from username_blocks b where b.skeleton = username_skeleton($2) returning b.id, b.username
), logged as materialized (
  select log_action($1, 'destroy', 'UsernameBlock', removed.id, removed.username) from removed
)
select removed.id from removed, logged
