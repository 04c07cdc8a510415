-- find_client: an application by its client_id.
-- $1 client_id text
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select a.id, a.name, a.website, a.redirect_uris, a.scopes, a.client_id, a.client_secret_hash, a.superapp
from applications a
where a.client_id = $1
