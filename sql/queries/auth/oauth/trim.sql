-- trim: removes codes that have been of no use for a day, sessions that nobody has used for a year, and records of sign-ins as old.
-- rows: none
-- plan: all codes and sessions, once a day; sign-ins by index
with removed_sessions as (
  delete from sessions where sessions.updated_at < now() - interval '1 year'
), activities_gone as (
  delete from login_activities where login_activities.created_at < now() - interval '1 year'
)
delete from oauth_grants where oauth_grants.expires_at < now() - interval '1 day'
