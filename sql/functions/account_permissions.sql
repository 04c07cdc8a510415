-- The permissions of an account's user: those of its role and of the base role (-99); 0 without a
-- user.
create or replace function account_permissions(account bigint) returns bigint
language sql stable as $$
  select coalesce((
    select coalesce(r.permissions, 0) | base.permissions
    from users u
    join roles base on base.id = -99
    left join roles r on r.id = u.role_id
    where u.account_id = account
  ), 0)
$$;
