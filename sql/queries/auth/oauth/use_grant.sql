-- use_grant: takes a code for use. Of two that use it at once one gets it.
-- $1 grant bigint
-- rows: one when it was live, else none
-- plan: one row by key
update oauth_grants set revoked_at = now()
where oauth_grants.id = $1 and oauth_grants.revoked_at is null and oauth_grants.expires_at > now()
returning oauth_grants.id
