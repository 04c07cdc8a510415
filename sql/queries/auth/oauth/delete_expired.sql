-- delete_expired: removes codes that became useless a day ago, and sessions and records of sign-ins
-- that are a year old.
-- rows: none
-- plan: all codes and sessions, once a day; sign-ins by index
with removed_sessions as (
  delete from sessions where sessions.updated_at < now() - interval '1 year'
), activities_gone as (
  delete from login_activities where login_activities.created_at < now() - interval '1 year'
)
delete from oauth_grants where oauth_grants.expires_at < now() - interval '1 day'
