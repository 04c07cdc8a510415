-- signing_accounts: of these accounts, the local ones that have a key, because they have signed
-- something or another server has asked for their actor, and that do not follow an account. If they
-- are many, any of them, so that the next run has others.
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
order by random()
limit $3::integer
