-- trim: removes codes that have been of no use for a day, and sessions that nobody has used for a year.
-- rows: none
with sessions_gone as (
  delete from sessions where sessions.updated_at < now() - interval '1 year'
)
delete from oauth_grants where oauth_grants.expires_at < now() - interval '1 day'
