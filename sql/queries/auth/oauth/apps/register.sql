-- register: stores a new application. Several applications may have the same name.
-- $1 name text
-- $2 website text
-- $3 redirect_uris text[]
-- $4 scopes text[]
-- $5 client_id text
-- $6 client_secret_hash bytea
-- rows: one
-- plan: rows are inserted, none are read
insert into applications (name, website, redirect_uris, scopes, client_id, client_secret_hash)
values ($1, $2, $3, $4, $5, $6)
returning applications.id
