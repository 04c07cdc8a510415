-- severances: what notifications of the type severed_relationships are about.
-- $1 notifications bigint[]
-- rows: one a notification whose cause is there
-- plan: no sequential scan
select
  n.id as notification, s.id, s.type, s.purged, s.target_name, s.followers_count, s.following_count, s.created_at
from notifications n
join severances s on s.id = n.activity_id
where n.id = any ($1::bigint[]) and n.type = 'severed_relationships'
