-- A name as it is compared: in any case, and with digits read as the letters that they look like.
-- username_blocks.skeleton is made of it: a change needs a migration that writes that column anew.
create or replace function username_skeleton(username text) returns text
language sql immutable strict parallel safe
return translate(lower(username), '012345789', 'oizeastbg');
