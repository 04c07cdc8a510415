-- A poll that an edit reopened before edits withdrew the notifications of its first end still has
-- these, so its next end would notify nobody who was notified then. They are removed: an open poll
-- has none otherwise. Reads all polls once; locks only the rows that it deletes.
with withdrawn as (
  delete from notifications n
  using polls p, statuses s
  where p.ended_at is null and s.id = p.status_id and s.edited_at is not null
    and n.status_id = s.id and n.type = 'poll' and n.activity_id = p.id
  returning n.account_id, n.from_account_id, n.status_id
)
insert into events (kind, account_id, actor_id, status_id, data)
select 'notifications.changed', withdrawn.account_id, withdrawn.from_account_id, withdrawn.status_id, '{"change": "withdrawn"}'
from withdrawn;
