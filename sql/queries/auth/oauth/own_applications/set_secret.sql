-- set_secret: gives an application that a user developed a new secret.
-- $1 owner bigint
-- $2 application bigint
-- $3 client_secret_hash bytea
-- rows: none when there is no such one
-- plan: no sequential scan
update applications a set client_secret_hash = $3 where a.id = $2 and a.owner_id = $1 returning a.id
