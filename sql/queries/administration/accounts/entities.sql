-- entities: the data of Admin::Account, except the public entity of the account.
-- $1 ids bigint[]
-- rows: one for each account that exists; ips: all known addresses, latest first
-- plan: no sequential scan of accounts, users, sessions, login_activities, oauth_tokens
select
  a.id, a.username, a.domain, a.created_at,
  a.sensitized_at is not null as sensitized,
  a.silenced_at is not null as silenced,
  a.suspended_at is not null or a.deletion_requested_at is not null as suspended,
  u.id as user_id, u.email, u.locale, u.sign_up_reason, u.confirmed_at is not null as confirmed, u.approved, u.disabled,
  case when u.id is null then null else (
    select coalesce(
      jsonb_agg(jsonb_build_object(
        'ip', host(known.ip), 'used_at', to_char(known.used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      ) order by known.used_at desc, known.ip),
      '[]'
    )
    from user_ips() known
    where known.user_id = u.id
  ) end as ips,
  case when u.id is null then null else (
    select jsonb_build_object(
      'id', r.id::text, 'name', r.name, 'permissions', (r.permissions | base.permissions), 'color', r.color,
      'highlighted', r.highlighted, 'collection_limit', r.collection_limit
    )
    from roles r
    join roles base on base.id = -99
    where r.id = coalesce(u.role_id, -99)
  ) end as role,
  u.created_by_application_id,
  (
    select inviter.account_id from invites i join users inviter on inviter.id = i.user_id where i.id = u.invite_id
  ) as invited_by_account_id
from accounts a
left join users u on u.account_id = a.id
where a.id = any ((select $1::bigint[])::bigint[])
