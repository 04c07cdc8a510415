-- lock_of_status: keeps votes out of the poll of a status for the rest of the transaction.
-- $1 status bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select p.id from polls p where p.status_id = $1 for no key update
