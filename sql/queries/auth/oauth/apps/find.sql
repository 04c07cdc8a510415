-- find: an application by its id.
-- $1 application bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select a.id, a.name, a.website, a.redirect_uris, a.scopes, a.client_id
from applications a
where a.id = $1
