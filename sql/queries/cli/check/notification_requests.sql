-- notification_requests: compares the counts of a batch of notification requests with their
-- notifications; corrects them on request, and removes requests without one.
-- $1 after bigint
-- $2 fix boolean
-- rows: one; last: the last row of the batch, null when there are no more
-- plan: a batch by key, with look-ups by index
with batch as materialized (
  select r.id, r.account_id, r.from_account_id, r.notifications_count, r.created_at
  from notification_requests r
  where r.id > $1
  order by r.id
  limit 500
), compared as materialized (
  select
    batch.id,
    batch.account_id,
    batch.notifications_count,
    (
      select count(*) from notifications n
      where n.account_id = batch.account_id and n.from_account_id = batch.from_account_id and n.filtered
        and n.type in ('mention', 'quote') and n.created_at >= batch.created_at
    ) as notifications
  from batch
), wrong as materialized (
  select compared.* from compared where compared.notifications_count <> compared.notifications
), ended as (
  delete from notification_requests r using wrong
  where $2 and r.id = wrong.id and wrong.notifications = 0 and r.notifications_count = wrong.notifications_count
), fixed as (
  update notification_requests r
  set notifications_count = r.notifications_count + wrong.notifications - wrong.notifications_count
  from wrong
  where $2 and r.id = wrong.id and wrong.notifications > 0
)
select
  (select max(batch.id) from batch) as last,
  (select count(*) from batch)::integer as checked,
  (select jsonb_agg(jsonb_build_object('id', wrong.id::text, 'problem', format('notifications_count is %s, counted %s', wrong.notifications_count, wrong.notifications)) order by wrong.id) from wrong) as findings,
  null::jsonb as events
