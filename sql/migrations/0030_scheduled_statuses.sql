-- Statuses that are to be posted later.
-- Locks: media_attachments and idempotency_keys for a moment each; the new columns are empty at first. The index is made on an empty column
-- while attachments cannot be written: a second for some millions of them.

create table scheduled_statuses (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  application_id bigint references applications (id) on delete set null,
  scheduled_at timestamptz not null,
  params jsonb not null,                         -- as sent (entity ScheduledStatusParams)
  settled jsonb not null,                        -- what it came to with the author's preferences of then
  created_at timestamptz not null default now()
);

create index scheduled_statuses_by_account on scheduled_statuses (account_id, id desc);
create index scheduled_statuses_by_application on scheduled_statuses (application_id) where application_id is not null;

alter table media_attachments add column scheduled_status_id bigint references scheduled_statuses (id) on delete set null;
create index media_attachments_scheduled on media_attachments (scheduled_status_id) where scheduled_status_id is not null;

alter table idempotency_keys add column scheduled_status_id bigint references scheduled_statuses (id) on delete cascade;
create index idempotency_keys_by_scheduled_status on idempotency_keys (scheduled_status_id) where scheduled_status_id is not null;
