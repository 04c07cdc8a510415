-- The addresses that users are known by, each with the time of its last use: those of the sign-up,
-- of sessions, of successful sign-ins and of access tokens. The planner inlines it.
create or replace function user_ips() returns table (user_id bigint, ip inet, used_at timestamptz)
language sql stable rows 1000 as $$
  select known.user_id, known.ip, max(known.used_at)
  from (
    select u.id as user_id, u.sign_up_ip as ip, u.created_at as used_at from users u where u.sign_up_ip is not null
    union all
    select s.user_id, s.ip, s.updated_at from sessions s where s.ip is not null
    union all
    select l.user_id, l.ip, l.created_at from login_activities l where l.success
    union all
    select t.user_id, t.last_used_ip, coalesce(t.last_used_at, t.created_at)
    from oauth_tokens t
    where t.user_id is not null and t.last_used_ip is not null
  ) known
  group by known.user_id, known.ip
$$;
