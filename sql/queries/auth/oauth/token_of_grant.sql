-- token_of_grant: the token that was issued for a code.
-- $1 grant bigint
-- rows: none when none was issued, else one
-- plan: no sequential scan, at most 8 buffers
select g.token_id as id from oauth_grants g where g.id = $1 and g.token_id is not null
