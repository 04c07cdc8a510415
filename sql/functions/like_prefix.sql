-- The pattern of `like` for texts in lower case that begin with a text.
create or replace function like_prefix(beginning text) returns text
language sql immutable strict parallel safe
return regexp_replace(lower(like_prefix.beginning), '([\\%_])', '\\\1', 'g') || '%';
