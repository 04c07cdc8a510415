-- The hash of the canonical form of an address, as administrators and clients see it.
create or replace function canonical_email_hash(email text) returns text
language sql immutable parallel safe
return encode(sha256(convert_to(canonical_email(email), 'UTF8')), 'hex');
