-- Whether an account allows `owner` to add it to a collection. The settings of remote accounts are
-- unknown, which counts as no.
create or replace function allows_featuring(owner bigint, target accounts) returns boolean
language sql stable as $$
  select target.domain is null
    and coalesce(target.discoverable, false)
    and target.suspended_at is null
    and (
      not target.locked
      or target.id = owner
      or exists (select from follows f where f.account_id = owner and f.target_account_id = target.id)
    )
    and not exists (
      select
      from blocks b
      where (b.account_id = owner and b.target_account_id = target.id)
        or (b.account_id = target.id and b.target_account_id = owner)
    )
$$;
