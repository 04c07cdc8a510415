-- Whether an account's owner may and wants to offer e-mail subscriptions, and the account is there
-- to be read. The setting of the server is checked by the caller.
create or replace function offers_email_subscriptions(account bigint) returns boolean
language sql stable as $$
  select exists (
    select from users u
    join accounts a on a.id = u.account_id
    where u.account_id = account and u.email_subscriptions and u.approved and u.confirmed_at is not null
      and a.suspended_at is null and a.deletion_requested_at is null and not a.memorial
      and has_permission(account_permissions(account), 'manage_email_subscriptions')
  )
$$;
