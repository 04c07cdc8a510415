-- accept: ends requests of the viewer and exempts their senders from the policy; a job then
-- restores the filtered notifications.
-- $1 viewer bigint
-- $2 requests bigint[]
-- rows: one for each request of the viewer; its sender
-- plan: no sequential scan
with accepted as (
  delete from notification_requests r where r.account_id = $1 and r.id = any ((select $2::bigint[])::bigint[])
  returning r.from_account_id
), exempted as (
  insert into notification_permissions (account_id, from_account_id) select $1, accepted.from_account_id from accepted
  on conflict do nothing
), started as (
  insert into notification_merges (account_id, from_account_id) select $1, accepted.from_account_id from accepted
  on conflict do nothing
)
select accepted.from_account_id as sender from accepted order by accepted.from_account_id
