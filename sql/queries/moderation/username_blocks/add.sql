-- add: stores the block of a username, and records that in the audit log.
-- $1 moderator bigint
-- $2 username text
-- $3 exact boolean
-- $4 allow_with_approval boolean
-- rows: one; none when it is blocked already
-- plan: no sequential scan
with added as (
  insert into username_blocks (username, exact, allow_with_approval) values ($2, $3, $4)
  on conflict (skeleton) do nothing
  returning username_blocks.id, username_blocks.username
), logged as materialized (
  select log_action($1, 'create', 'UsernameBlock', added.id, added.username) from added
)
select added.id from added, logged
