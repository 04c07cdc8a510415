-- theirs: those of some statuses that are by an account or boost it, and those that do not exist any more.
-- $1 ids bigint[]
-- $2 account bigint
-- rows: one a status of either kind
-- plan: no sequential scan
select sought.id, s.id is null as gone
from unnest($1::bigint[]) sought (id)
left join statuses s on s.id = sought.id
left join statuses o on o.id = s.reblog_of_id
where s.id is null or s.account_id = $2 or o.account_id = $2
