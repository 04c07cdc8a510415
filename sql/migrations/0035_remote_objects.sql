-- What other servers say about their accounts, emojis and activities, beside what is shown. The new
-- columns are nullable or have constant defaults: the tables are locked for a moment only.
alter table accounts
  add column featured_url text not null default '',
  add column avatar_remote_url text,
  add column header_remote_url text,
  add column also_known_as text[] not null default '{}',
  add column key_id text not null default '',
  -- When its document was last read.
  add column fetched_at timestamptz;

alter table custom_emojis
  add column uri text,
  add column image_remote_url text;

alter table favourites add column uri text;
create unique index favourites_uri on favourites (uri) where uri is not null;

alter table quotes
  add column uri text,
  add column approval_uri text;

-- Activities and objects that were deleted or undone, maybe before they arrived: they are ignored
-- when they come later. Forgotten after six hours.
create table tombstones (
  uri text primary key,
  created_at timestamptz not null default now()
);
create index tombstones_by_age on tombstones (created_at);
