-- list: the applications that a user developed.
-- $1 owner bigint
-- rows: at most 100, the newest first
-- plan: no sequential scan
select a.id, a.name, a.website, a.redirect_uris, a.scopes, a.client_id
from applications a
where a.owner_id = $1
order by a.id desc
limit 100
