-- The hash under which all spellings of an address are one (canonical_email), as administrators and clients know it.
create or replace function canonical_email_hash(email text) returns text
language sql immutable parallel safe
return encode(sha256(convert_to(canonical_email(email), 'UTF8')), 'hex');
