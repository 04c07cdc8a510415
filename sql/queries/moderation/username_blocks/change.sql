-- change: changes the block of a username, and records that in the audit log.
-- $1 moderator bigint
-- $2 id bigint
-- $3 username text
-- $4 exact boolean
-- $5 allow_with_approval boolean
-- rows: one; none when there is no such block
-- plan: no sequential scan
with changed as (
  update username_blocks b set username = $3, exact = $4, allow_with_approval = $5 where b.id = $2
  returning b.id, b.username
), logged as materialized (
  select log_action($1, 'update', 'UsernameBlock', changed.id, changed.username) from changed
)
select changed.id from changed, logged
