-- any_not_following: whether any of these accounts does not follow the author.
-- $1 author bigint
-- $2 accounts bigint[]
-- rows: one
-- plan: no sequential scan
select exists (
  select from unnest((select $2::bigint[])) other (id)
  where other.id <> $1 and not exists (select from follows f where f.account_id = other.id and f.target_account_id = $1)
) as found
