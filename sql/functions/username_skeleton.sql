-- A name in the form for comparison: lower case, and with digits replaced by the letters that they
-- resemble.
-- username_blocks.skeleton is computed with it: a change needs a migration that updates that
-- column.
create or replace function username_skeleton(username text) returns text
language sql immutable strict parallel safe
return translate(lower(username), '012345789', 'oizeastbg');
