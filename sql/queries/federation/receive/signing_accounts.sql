-- signing_accounts: of these accounts, the local ones that have signed something or whose actor was
-- shown, and that do not follow an account; a part of them if they are many.
-- $1 ids bigint[]
-- $2 target bigint
-- $3 limit integer
-- rows: one an account
-- plan: no sequential scan
select a.id
from signing_keys k
join accounts a on a.id = k.account_id
where k.account_id = any ((select $1::bigint[])::bigint[]) and a.domain is null and a.deletion_requested_at is null
  and not exists (select from follows f where f.account_id = k.account_id and f.target_account_id = $2)
limit $3::integer
