-- address_block: a blocked address.
-- $1 id bigint
-- rows: one, or none when there is no such block
-- plan: no sequential scan
select b.id, b.canonical_email_hash from canonical_email_blocks b where b.id = $1
