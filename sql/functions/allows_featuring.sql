-- Whether `owner` may add an account to a collection; one of another server may have to agree.
create or replace function allows_featuring(owner bigint, target accounts) returns boolean
language sql stable as $$
  select feature_approval(owner, target) in ('automatic', 'manual')
    and target.suspended_at is null
    and not exists (
      select
      from blocks b
      where (b.account_id = owner and b.target_account_id = target.id)
        or (b.account_id = target.id and b.target_account_id = owner)
    )
$$;
