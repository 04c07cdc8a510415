-- add_activity: records a successful or failed sign-in. Suspicious is a sign-in without a second
-- factor to an account that was used before, from a network (/16 of IPv4, /64 of IPv6) from which
-- the user has neither signed up nor signed in.
-- $1 user bigint
-- $2 method text
-- $3 success boolean
-- $4 ip inet
-- $5 user_agent text
-- rows: none when the user no longer exists, else one
-- plan: no sequential scan
with source as (
  select network(set_masklen($4::inet, case family($4) when 4 then 16 else 64 end)) as range
), facts as (
  select u.id,
    $3::boolean and u.current_sign_in_at is not null and u.otp_enabled_at is null
      and not coalesce(u.sign_up_ip <<= source.range, false)
      and not exists (select from login_activities l where l.user_id = u.id and l.success and l.ip <<= source.range)
      and not exists (select from sessions s where s.user_id = u.id and s.ip <<= source.range) as suspicious
  from users u cross join source
  where u.id = $1
), recorded as (
  insert into login_activities (user_id, method, success, ip, user_agent)
  select facts.id, $2, $3, $4, $5 from facts
)
select facts.suspicious from facts
