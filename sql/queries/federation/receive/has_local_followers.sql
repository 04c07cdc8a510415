-- has_local_followers: whether somebody here follows an account.
-- $1 account bigint
-- rows: one
-- plan: no sequential scan
select exists (
  select from follows f join accounts a on a.id = f.account_id where f.target_account_id = $1 and a.domain is null
) as followed
