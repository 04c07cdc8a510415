-- Uploaded files of statuses, and custom emojis.

create table media_attachments (
  id bigint primary key default snowflake(),
  account_id bigint not null references accounts (id) on delete cascade,
  status_id bigint references statuses (id) on delete set null,
  scheduled_status_id bigint references scheduled_statuses (id) on delete set null,
  type text not null default 'unknown' check (type in ('image', 'gifv', 'video', 'audio', 'unknown')),
  processing text not null default 'done' check (processing in ('queued', 'running', 'done', 'failed')),
  source_key text,                               -- the uploaded file, while audio or video is converted
  file_key text,
  preview_key text,
  remote_url text,
  meta jsonb not null default '{}',
  description text,
  blurhash text,
  created_at timestamptz not null default now()
);
create index media_attachments_by_status on media_attachments (status_id) where status_id is not null;
-- Unused uploads are removed by age.
create index media_attachments_unattached on media_attachments (created_at) where status_id is null;
create index media_attachments_by_account on media_attachments (account_id);
create index media_attachments_scheduled on media_attachments (scheduled_status_id) where scheduled_status_id is not null;

create trigger media_attachments_content_kinds after update of type on media_attachments
for each row when (new.type <> old.type and new.status_id is not null) execute function refresh_content_kinds_of_status();
create trigger media_attachments_described after update of description on media_attachments
for each row when (new.description is distinct from old.description and new.status_id is not null)
execute function refresh_content_kinds_of_status();

create table custom_emojis (
  id bigint primary key generated always as identity,
  shortcode text not null,
  domain text,                                   -- null: local
  image jsonb not null,                          -- {key, static_key, type}
  category text,
  visible_in_picker boolean not null default true,
  disabled boolean not null default false,
  featured boolean not null default false,       -- the picture of its category
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index custom_emojis_shortcode on custom_emojis (shortcode, coalesce(domain, ''));
-- Each category has one featured emoji.
create unique index custom_emojis_featured on custom_emojis (coalesce(domain, ''), category) where featured;
