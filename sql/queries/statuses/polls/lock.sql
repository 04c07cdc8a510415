-- lock: lets one vote after the other into a poll, for the rest of the transaction. Counters and the rule of one vote hold by this.
-- $1 poll bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select p.id from polls p where p.id = $1 for no key update
