-- The form of an address under which all its spellings are one mailbox: lower case, without dots and what follows a plus.
-- The index users_canonical_email is made of it: a change needs a migration that builds that index anew.
create or replace function canonical_email(email text) returns text
language sql immutable parallel safe
return lower(
  replace(split_part(split_part(email, '@', 1), '+', 1), '.', '') || '@' || split_part(email, '@', 2)
);
