-- boost: an account's boost of a status.
-- $1 account bigint
-- $2 status bigint
-- rows: none or one
-- plan: no sequential scan
select b.id from statuses b where b.account_id = $1 and b.reblog_of_id = $2 and b.deleted_at is null
