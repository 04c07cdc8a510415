-- use_grant: marks a code as used. Of two simultaneous requests only one succeeds.
-- $1 grant bigint
-- rows: one when the code was live, else none
-- plan: one row by key
update oauth_grants set revoked_at = now()
where oauth_grants.id = $1 and oauth_grants.revoked_at is null and oauth_grants.expires_at > now()
returning oauth_grants.id
