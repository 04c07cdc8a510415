-- add_application: the application with which benchmarks sign in. Its secret is unknown.
-- $1 client_id text
-- $2 scopes text[]
-- rows: one
-- plan: rows are inserted, none are read
insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash)
values ('Millrace seed', '{urn:ietf:wg:oauth:2.0:oob}', $2, $1, sha256(random()::text::bytea))
returning applications.id
