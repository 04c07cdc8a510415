-- A trigger of notifications. A request counts the filtered mentions and quotes: it shrinks with
-- each that is removed, and ends with the last. Notifications older than the request are not
-- counted: they belong to a dismissed one, and are being removed. The requests are locked first, so
-- that the second of two simultaneous removals sees the result of the first.
create or replace function shrink_notification_requests() returns trigger language plpgsql as $$
begin
  if not exists (select from removed where removed.filtered) then
    return null;
  end if;
  perform
  from notification_requests r
  where (r.account_id, r.from_account_id) in (
    select removed.account_id, removed.from_account_id from removed where removed.filtered
  )
  order by r.id
  for update;
  with less as (
    select r.id, count(*) as amount
    from removed
    join notification_requests r on r.account_id = removed.account_id and r.from_account_id = removed.from_account_id
    where removed.filtered and removed.type in ('mention', 'quote') and removed.created_at >= r.created_at
    group by r.id
  ), ended as (
    delete from notification_requests r using less where r.id = less.id and r.notifications_count <= less.amount
  )
  update notification_requests r
  set notifications_count = r.notifications_count - less.amount,
    last_status_id = (
      select n.status_id
      from notifications n
      where n.account_id = r.account_id and n.from_account_id = r.from_account_id
        and n.filtered and n.type in ('mention', 'quote')
      order by n.id desc
      limit 1
    )
  from less
  where r.id = less.id and r.notifications_count > less.amount;
  return null;
end
$$;
