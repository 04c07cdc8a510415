-- lock: serialises votes in a poll until the transaction ends, so that the counters and the rule of
-- one vote hold.
-- $1 poll bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select p.id from polls p where p.id = $1 for no key update
