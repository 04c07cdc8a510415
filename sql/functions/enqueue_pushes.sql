-- A trigger of notifications: adds a job for each subscription that wants a new notification, in
-- the transaction that stores it. A filtered notification is not pushed, even when its request is
-- accepted later.
create or replace function enqueue_pushes() returns trigger language plpgsql as $$
begin
  perform enqueue(
    'push.send',
    json_build_object('subscription_id', s.id::text, 'notification_id', new.id::text),
    attempts => 6,
    priority => 10,
    job_key => 'push:' || s.id || ':' || new.id
  )
  from users u
  join push_subscriptions s on s.user_id = u.id
  where u.account_id = new.account_id and wants_push(s, new.account_id, new.from_account_id, new.type);
  return null;
end
$$;
