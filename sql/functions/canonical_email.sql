-- The canonical form of an address, equal for all spellings of one mailbox: lower case, without
-- dots and the suffix after a plus.
-- The index users_canonical_email is built with it: a change needs a migration that rebuilds that
-- index.
create or replace function canonical_email(email text) returns text
language sql immutable parallel safe
return lower(
  replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@' || split_part(email, '@', 2)
);
