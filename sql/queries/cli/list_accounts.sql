-- list_accounts: local accounts with their users, newest first. last_ip: of the newest session,
-- else of the sign-up.
-- $1 username text
-- $2 state text
-- $3 role text
-- $4 limit integer
-- rows: at most $4; all of them when it is null
-- plan: one account by its name; else all local accounts: an operator's command
select found.id, found.username, found.email, found.state, found.role, found.created_at,
  (select max(s.created_at) from sessions s where s.user_id = found.user_id) as last_sign_in_at,
  coalesce(
    (select host(s.ip) from sessions s where s.user_id = found.user_id and s.ip is not null order by s.updated_at desc limit 1),
    host(found.sign_up_ip)
  ) as last_ip,
  found.second_factor,
  coalesce((select st.statuses_count from account_stats st where st.account_id = found.id), 0)::integer as statuses,
  coalesce((select st.followers_count from account_stats st where st.account_id = found.id), 0)::integer as followers,
  found.reason
from (
  select a.id, a.username, a.created_at, u.id as user_id, u.email, u.sign_up_ip, u.sign_up_reason as reason, r.name as role,
    coalesce(u.otp_enabled_at is not null, false) as second_factor,
    case
      when a.suspended_at is not null then 'suspended'
      when u.id is null then 'without_user'
      when u.disabled then 'disabled'
      when u.confirmed_at is null then 'unconfirmed'
      when not u.approved then 'pending'
      else 'active'
    end as state
  from accounts a
  left join users u on u.account_id = a.id
  left join roles r on r.id = u.role_id
  where lower(coalesce(a.domain, '')) = '' and ($1::text is null or lower(a.username) = lower($1))
) found
where ($2::text is null or found.state = $2) and ($3::text is null or found.role = $3)
order by found.id desc
limit $4::integer
