-- create: stores an application that a user developed, unless there are too many. Run under
-- lock_user.
-- $1 owner bigint
-- $2 name text
-- $3 website text
-- $4 redirect_uris text[]
-- $5 scopes text[]
-- $6 client_id text
-- $7 client_secret_hash bytea
-- $8 limit integer
-- rows: none when there are too many
-- plan: no sequential scan
insert into applications (owner_id, name, website, redirect_uris, scopes, client_id, client_secret_hash)
select $1, $2, $3::text, $4::text[], $5::text[], $6, $7
where (select count(*) from applications a where a.owner_id = $1) < $8::integer
returning applications.id
