-- Push messages: to each subscription that wants a notification a job, enqueued in the transaction that makes the notification.
-- Locks: writers of push_subscriptions and notifications wait for a moment.

-- The token that the subscription was made with, sealed: clients know by it whom a message is for (src/push/sealed_token.ts).
alter table push_subscriptions add column sealed_token bytea not null;

-- Whether a subscription of the recipient wants a notification of this type by this originator: its alerts, and its policy (api/delivery.md,
-- section 4). Nobody follows themselves, so only `all` lets one's own notifications through, such as those of polls.
create function wants_push(subscription push_subscriptions, recipient bigint, originator bigint, type text) returns boolean
language sql stable as $$
  select subscription.alerts -> type is not distinct from 'true'::jsonb
    and case subscription.policy
      when 'all' then true
      when 'followed' then exists (
        select from follows f where f.account_id = recipient and f.target_account_id = originator
      )
      when 'follower' then exists (
        select from follows f where f.account_id = originator and f.target_account_id = recipient
      )
      else false
    end
$$;

-- The number of tries and the priority are those of src/push/send.ts. A notification that the policy filters is not pushed, neither when it is made nor
-- when its request is accepted.
create function enqueue_pushes() returns trigger language plpgsql as $$
begin
  perform graphile_worker.add_job(
    'push:send',
    json_build_object('subscription_id', s.id::text, 'notification_id', new.id::text),
    max_attempts => 6,
    priority => 10,
    job_key => 'push:' || s.id || ':' || new.id
  )
  from users u
  join push_subscriptions s on s.user_id = u.id
  where u.account_id = new.account_id and wants_push(s, new.account_id, new.from_account_id, new.type);
  return null;
end
$$;

create trigger notification_pushed after insert on notifications
for each row when (not new.filtered) execute function enqueue_pushes();
