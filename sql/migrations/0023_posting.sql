-- Posting: less work for each new status. Locks statuses and events for an instant.

--! function count_by_day
--! function count_new_statuses

-- The statements that post count for themselves (millrace.counted, as millrace.defer_notify); the
-- trigger counts what any other statement stores.
drop trigger statuses_counted on statuses;
create trigger statuses_counted after insert on statuses for each row
  when (current_setting('millrace.counted', true) is distinct from 'on')
  execute function count_new_statuses();

--! function follow_webhooks

-- The trigger of events for webhooks is disabled while there is none: even its condition is parsed
-- for each statement that logs an event.
create constraint trigger webhooks_followed after insert or delete or update of enabled on webhooks
  deferrable initially deferred for each row execute function follow_webhooks();
alter table events disable trigger events_webhooks;
update webhooks set enabled = enabled;

-- E-mails about notifications, until they are due; and the times for which a job has been added.
create table waiting_emails (
  notification_id bigint primary key,            -- without a foreign key: nothing is sent about one that is gone
  due_at timestamptz not null,
  always boolean not null                        -- also when the notification is streamed
);
create index waiting_emails_due on waiting_emails (due_at);
create table email_rounds (
  due_at timestamptz primary key
);

-- No statement finds statuses by conversation, and conversations are never deleted: neither their
-- index nor their foreign key, checked for each status, had a use. The unique index of
-- conversations held an entry for each local one, which has no URI.
drop index statuses_conversation;
alter table statuses drop constraint statuses_conversation_id_fkey;
alter table conversations drop constraint conversations_uri_key;
create unique index conversations_uri on conversations (uri) where uri is not null;
