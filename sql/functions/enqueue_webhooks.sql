-- The trigger of events for webhooks: enqueues a delivery for each enabled webhook that subscribes
-- to what happened. Without webhooks it costs a look at an empty table.
-- A waiting delivery of a change is replaced by one of a later change, because the object is
-- rendered when it is delivered, once the delivering process has read the log up to the event.
-- The deliveries of a webhook have one queue: they arrive in order, unless one has to be repeated.
-- All webhooks share two queues, whatever their number, so that receivers that accept and do not
-- answer occupy two of the parallel jobs at most; a circuit breaker skips these receivers, so that
-- they hardly delay the others of their queue.
-- A user who needs no approval counts as approved when the address is confirmed for the first time:
-- then the account can be used, and moderators' programs look at it or welcome it.
create or replace function enqueue_webhooks() returns trigger language plpgsql as $$
declare
  change text := new.data ->> 'change';
  subject bigint := case
    when new.kind like 'status.%' then new.status_id
    when new.kind like 'report.%' then new.object_id
    else new.account_id
  end;
  happened text[] := case
    when new.kind in ('report.created', 'report.updated') then array[new.kind]
    when new.kind in ('status.created', 'status.updated') then
      case when new.data ->> 'local' = 'true' and new.data ->> 'reblog_of_id' is null then array[new.kind] end
    when new.kind = 'user.changed' then
      case
        when change = 'created' then '{account.created}'::text[]
        when change = 'approved' then '{account.approved}'
        when change in ('confirmed', 'role', 'disabled', 'enabled', 'operator') then
          case when new.data ->> 'first' = 'true' then '{account.approved,account.updated}' else '{account.updated}' end::text[]
      end
    when new.kind = 'account.changed' and change not in ('created', 'counts', 'deletion', 'deleted') then '{account.updated}'
  end;
  hook bigint;
  occurred text;
begin
  if happened is null then
    return null;
  end if;
  for hook, occurred in
    select w.id, h.occurred
    from webhooks w
    cross join unnest(happened) h (occurred)
    where w.enabled and h.occurred = any (w.events)
    order by w.id, h.occurred
  loop
    if occurred = 'account.approved' and change <> 'approved' and not exists (
      select
      from users u
      where u.account_id = subject and u.approved and not exists (
        select from admin_action_logs l where l.action = 'approve' and l.target_type = 'User' and l.target_id = u.id
      )
    ) then
      continue;
    end if;
    if occurred = 'account.updated' and exists (select from accounts a where a.id = subject and a.domain is not null) then
      return null;
    end if;
    perform enqueue(
      'webhooks.deliver',
      json_build_object(
        'webhook', hook::text, 'event', occurred, 'subject', subject::text,
        'at', to_char(new.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'position', format('%s-%s', new.txid, new.id)
      ),
      job_key => case when occurred like '%.updated' then format('webhooks:%s:%s:%s', hook, occurred, subject) end,
      queue_name => format('webhooks:%s', hook % 2),
      priority => 20
    );
  end loop;
  return null;
end
$$;
