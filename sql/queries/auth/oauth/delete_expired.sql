-- delete_expired: removes codes and tokens that became useless a day ago, sessions that were not
-- used for $1 seconds, and addresses of people that are older than $2 seconds, with the records of
-- sign-ins.
-- $1 session_retention float8
-- $2 address_retention float8
-- rows: none
-- plan: all codes, sessions, tokens and users, once a day; sign-ins by index
with removed_sessions as (
  delete from sessions where sessions.updated_at < now() - make_interval(secs => $1::float8)
), removed_tokens as (
  delete from oauth_tokens where oauth_tokens.revoked_at < now() - interval '1 day'
), removed_activities as (
  delete from login_activities where login_activities.created_at < now() - make_interval(secs => $2::float8)
), cleared_sessions as (
  update sessions set ip = null
  where sessions.ip is not null and sessions.updated_at < now() - make_interval(secs => $2)
    and sessions.updated_at >= now() - make_interval(secs => $1)
), cleared_tokens as (
  update oauth_tokens set last_used_ip = null
  where oauth_tokens.last_used_ip is not null and oauth_tokens.last_used_at < now() - make_interval(secs => $2)
    and (oauth_tokens.revoked_at is null or oauth_tokens.revoked_at >= now() - interval '1 day')
), cleared_users as (
  update users set sign_up_ip = null
  where users.sign_up_ip is not null
    and greatest(users.created_at, users.current_sign_in_at) < now() - make_interval(secs => $2)
)
delete from oauth_grants where oauth_grants.expires_at < now() - interval '1 day'
