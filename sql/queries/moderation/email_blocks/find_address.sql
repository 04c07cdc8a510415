-- find_address: the block of an address, in any spelling.
-- $1 email text
-- rows: none or one
-- plan: no sequential scan
select b.id, b.canonical_email_hash from canonical_email_blocks b where b.canonical_email_hash = canonical_email_hash($1)
