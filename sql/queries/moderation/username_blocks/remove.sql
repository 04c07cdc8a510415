-- remove: removes the block of a username, in any spelling.
-- $1 username text
-- rows: one when it was blocked
-- plan: no sequential scan
delete from username_blocks b where b.skeleton = username_skeleton($1) returning b.id
