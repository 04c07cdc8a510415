-- unpin: a status is no longer pinned.
-- $1 account bigint
-- $2 status bigint
-- rows: one when it was
delete from status_pins p where p.account_id = $1 and p.status_id = $2 returning p.id
