-- A trigger of notifications: adds a job for each subscription that wants a new notification, in
-- the transaction that stores it. A filtered notification is not pushed, even when its request is
-- accepted later. Users are looked up one by one, as in enqueue_mail.
create or replace function enqueue_pushes() returns trigger language plpgsql as $$
begin
  perform enqueue(
    'push.send',
    json_build_object('subscription_id', s.id::text, 'notification_id', n.id::text),
    attempts => 6,
    priority => 10,
    job_key => 'push:' || s.id || ':' || n.id
  )
  from added n
  cross join lateral (
    select s.id
    from users u
    join push_subscriptions s on s.user_id = u.id
    where u.account_id = n.account_id and wants_push(s, n.account_id, n.from_account_id, n.type)
    offset 0
  ) s
  where not n.filtered;
  return null;
end
$$;
