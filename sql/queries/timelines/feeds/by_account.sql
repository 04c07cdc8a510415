-- by_account: the statuses among these that are by an account, boost it, or no longer exist.
-- $1 ids bigint[]
-- $2 account bigint
-- rows: one for each such status
-- plan: no sequential scan
select input.id, s.id is null as deleted
from unnest((select $1::bigint[])) input (id)
left join statuses s on s.id = input.id
left join statuses o on o.id = s.reblog_of_id
where s.id is null or s.account_id = $2 or o.account_id = $2
