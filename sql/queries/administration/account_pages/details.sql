-- details: the details of an account that staff sees in addition to its profile.
-- $1 viewer bigint
-- $2 account bigint
-- rows: at most one; outranks: whether the viewer's role is above the account's; ips: the latest 20
--   addresses, latest first
-- plan: no sequential scan of accounts, users, sessions, login_activities, reports or statuses
select
  a.id, handle_of(a) as handle, a.domain, a.created_at, a.memorial, a.suspended_at, a.silenced_at, a.sensitized_at,
  a.deletion_requested_at, a.avatar is not null as has_avatar, a.header is not null as has_header,
  a.id is distinct from $1 and outranks($1, a.id) as outranks,
  u.id as user_id, u.email, u.unconfirmed_email, coalesce(u.confirmed_at is not null, false) as confirmed,
  coalesce(u.approved, true) as approved, coalesce(u.disabled, false) as disabled,
  u.otp_enabled_at is not null as second_factor, u.role_id, u.locale, u.sign_up_reason, u.current_sign_in_at, u.last_active_at,
  application.name as application, inviter.account_id as invited_by,
  (select count(*) from reports r where r.target_account_id = a.id)::integer as reports_about,
  (select count(*) from reports r where r.account_id = a.id)::integer as reports_by,
  (select count(*) from email_subscriptions s where s.account_id = a.id)::integer as email_subscribers,
  (
    select coalesce(jsonb_agg(jsonb_build_object('ip', known.ip, 'used_at', known.used_at) order by known.used_at desc), '[]')
    from (
      select host(used.ip) as ip, max(used.at) as used_at
      from (
        select u.sign_up_ip as ip, u.created_at as at where u.sign_up_ip is not null
        union all
        select s.ip, s.updated_at from sessions s where s.user_id = u.id and s.ip is not null
        union all
        select l.ip, l.created_at from login_activities l where l.user_id = u.id and l.success
      ) used
      group by 1
      order by 2 desc
      limit 20
    ) known
  ) as ips
from accounts a
left join users u on u.account_id = a.id
left join applications application on application.id = u.created_by_application_id
left join invites i on i.id = u.invite_id
left join users inviter on inviter.id = i.user_id
where a.id = $2
