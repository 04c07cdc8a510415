-- lock_of_status: prevents votes in the poll of a status until the transaction ends.
-- $1 status bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select p.id from polls p where p.status_id = $1 for no key update
