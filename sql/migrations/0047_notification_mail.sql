-- Letters about notifications (api/delivery.md, section 4, point 5).
-- Locks: users for a moment (the columns have constant defaults, so no row is written); writers of notifications wait for a moment.

-- The types of notifications that the person wants letters about, and whether also while streams or push messages tell of them.
alter table users
  add column mail_types text[] not null default '{mention,quote,follow,follow_request}',
  add column mail_always boolean not null default false;

-- The number of tries is that of src/notification_mail/send.ts. Within the two minutes a server process that streams the notification to its
-- recipient takes the job away again by its key (sql/queries/notification_mail/withhold.sql); jobs of those who always want letters have none.
create function enqueue_mail() returns trigger language plpgsql as $$
declare
  due timestamptz := now() + interval '2 minutes';
begin
  perform graphile_worker.add_job(
    'notification_mail:send',
    json_build_object('notification_id', new.id::text),
    run_at => due,
    max_attempts => 6,
    job_key => case when not u.mail_always then 'notification_mail:' || new.id end
  )
  from users u
  where u.account_id = new.account_id and new.type = any (u.mail_types)
    and (u.mail_always or not exists (select from push_subscriptions s where s.user_id = u.id));
  if found then
    -- As jobs/enqueue does: workers set their timers.
    perform pg_notify('jobs:insert', json_build_object('count', 0, 'at', ceil(extract(epoch from due) * 1000)::bigint)::text);
  end if;
  return null;
end
$$;

create trigger notification_mailed after insert on notifications
for each row when (
  not new.filtered and new.type in ('mention', 'quote', 'follow', 'follow_request', 'favourite', 'reblog')
) execute function enqueue_mail();
