-- add: stores the block of a username.
-- $1 username text
-- $2 exact boolean
-- $3 allow_with_approval boolean
-- rows: one; none when it is blocked already
-- plan: no sequential scan
insert into username_blocks (username, exact, allow_with_approval) values ($1, $2, $3)
on conflict (skeleton) do nothing
returning username_blocks.id
