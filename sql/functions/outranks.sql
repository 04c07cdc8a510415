-- Whether the position of an account's role is above the other's. Users without a role have the
-- base role; whoever has no user, such as an account of another server, is below everybody.
create or replace function outranks(actor bigint, target bigint) returns boolean
language sql stable as $$
  select exists (
    select
    from users u
    join roles own on own.id = coalesce(u.role_id, -99)
    where u.account_id = actor and not exists (
      select
      from users other
      join roles above on above.id = coalesce(other.role_id, -99)
      where other.account_id = target and above.position >= own.position
    )
  )
$$;
