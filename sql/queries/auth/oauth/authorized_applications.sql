-- authorized_applications: the applications that hold live tokens of a user, with all their scopes.
-- $1 user bigint
-- rows: one for each application, the newest first; at most 500
-- plan: no sequential scan
select a.id, a.name, a.website, held.scopes, held.created_at, held.last_used_at
from (
  select t.application_id, array_agg(distinct scope) as scopes, min(t.created_at) as created_at, max(t.last_used_at) as last_used_at
  from oauth_tokens t cross join unnest(t.scopes) as scope
  where t.user_id = $1 and t.revoked_at is null
  group by t.application_id
) held
join applications a on a.id = held.application_id
order by held.created_at desc, a.id desc
limit 500
