-- application: the application that benchmarks sign in with. Nobody knows its secret.
-- $1 client_id text
-- $2 scopes text[]
-- rows: one
-- plan: rows are inserted, none are read
insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash)
values ('Millrace seed', '{urn:ietf:wg:oauth:2.0:oob}', $2, $1, sha256(random()::text::bytea))
returning applications.id
