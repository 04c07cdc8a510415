-- count_pins: the number of statuses that an account has pinned.
-- $1 account bigint
-- rows: one
-- plan: no sequential scan
select count(*)::integer as pins from status_pins p where p.account_id = $1
