-- E-mail subscriptions to the posts of accounts, and e-mails to all members about terms of service
-- and announcements. New tables lock nothing that exists; a new column with a constant default
-- locks its table for an instant.

-- Whether the owner offers subscriptions; the role and a setting of the server must allow it too.
alter table users add column email_subscriptions boolean not null default false;

create table email_subscriptions (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  email text not null check (octet_length(email) <= 1280),  -- lower case
  locale text,
  confirmed_at timestamptz,                      -- null: waits for the link in the e-mail
  confirmation_token_hash bytea unique,
  confirmation_sent_at timestamptz,
  requested_at timestamptz not null default now(),
  requested_ip inet,                             -- forgotten after a day
  unique (account_id, email)
);
create index email_subscriptions_confirmed on email_subscriptions (account_id, id) where confirmed_at is not null;
create index email_subscriptions_waiting on email_subscriptions (requested_at) where confirmed_at is null;
create index email_subscriptions_requested_ip on email_subscriptions (requested_at) where requested_ip is not null;

--! function purge_email_subscriptions

-- The subscribers of an account go when it is suspended or to be deleted.
create trigger accounts_email_subscriptions after update of suspended_at, deletion_requested_at on accounts
for each row when (
  (old.suspended_at is null and new.suspended_at is not null)
  or (old.deletion_requested_at is null and new.deletion_requested_at is not null)
)
execute function purge_email_subscriptions();

--! function enqueue_subscription_emails

-- E-mails about a post follow from its event: public, by an account of this server, neither a boost
-- nor a reply to others.
create trigger events_email_subscriptions after insert on events
for each row when (
  new.kind = 'status.created' and new.data ->> 'visibility' = 'public' and new.data ->> 'local' = 'true'
  and new.data ->> 'reblog_of_id' is null
  and (new.data ->> 'in_reply_to_id' is null or new.data ->> 'in_reply_to_account_id' = new.actor_id::text)
)
execute function enqueue_subscription_emails();

-- The e-mails that were sent, or are being sent, to many recipients: none is sent twice. Rows are
-- removed after two weeks, when no job can repeat them.
create table email_deliveries (
  mailing text not null,                         -- such as `status:ID`
  recipient_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (mailing, recipient_id)
);
create index email_deliveries_by_time on email_deliveries (created_at);

-- E-mails to all members, about terms of service or an announcement.
alter table announcements add column notified_at timestamptz;  -- when the e-mails began

create table member_mailings (
  id bigint primary key generated always as identity,
  terms_id bigint unique references terms_of_service (id) on delete cascade,
  announcement_id bigint unique references announcements (id) on delete cascade,
  reached_user_id bigint not null default 0,     -- up to here the members have been sent theirs
  sent_count integer not null default 0,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check (num_nonnulls(terms_id, announcement_id) = 1)
);
