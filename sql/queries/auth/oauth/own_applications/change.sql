-- change: changes an application that a user developed.
-- $1 owner bigint
-- $2 application bigint
-- $3 name text
-- $4 website text
-- $5 redirect_uris text[]
-- $6 scopes text[]
-- rows: none when there is no such one
-- plan: no sequential scan
update applications a
set name = $3, website = $4::text, redirect_uris = $5, scopes = $6
where a.id = $2 and a.owner_id = $1
returning a.id
