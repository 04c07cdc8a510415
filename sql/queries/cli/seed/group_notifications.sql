-- group_notifications: creates the groups of the notifications of some accounts that have none yet.
-- $1 accounts bigint[]
-- rows: none
-- plan: the notifications of each account by index
insert into notification_groups (account_id, group_key, type, newest_id, oldest_id, members)
select n.account_id, n.group_key, n.type, max(n.id), min(n.id), count(*)
from notifications n
where n.account_id = any ($1::bigint[]) and n.group_key not like 'ungrouped-%'
group by n.account_id, n.group_key, n.type
on conflict (account_id, group_key) do update
set newest_id = excluded.newest_id, oldest_id = excluded.oldest_id, members = excluded.members
