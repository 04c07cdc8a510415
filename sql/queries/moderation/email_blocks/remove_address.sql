-- remove_address: removes the block of an address, in any spelling.
-- $1 email text
-- rows: one when it was blocked
-- plan: no sequential scan
delete from canonical_email_blocks b where b.canonical_email_hash = canonical_email_hash($1) returning b.id
