-- The contents of the instance: announcements, rules, terms, pictures and figures; yearly reports;
-- background tasks.

create table announcements (
  id bigint primary key generated always as identity,
  text text not null,
  content text not null,                         -- HTML
  all_day boolean not null default false,
  starts_at timestamptz,
  ends_at timestamptz,
  scheduled_at timestamptz,                      -- when it is published automatically; null: never
  published boolean not null default false,
  published_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table announcement_reads (
  account_id bigint not null references accounts (id) on delete cascade,
  announcement_id bigint not null references announcements (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, announcement_id)
);
create index announcement_reads_by_announcement on announcement_reads (announcement_id);

create table announcement_reactions (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  announcement_id bigint not null references announcements (id) on delete cascade,
  name text not null,
  custom_emoji_id bigint references custom_emojis (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, announcement_id, name)
);
create index announcement_reactions_by_announcement on announcement_reactions (announcement_id);
create index announcement_reactions_by_emoji on announcement_reactions (custom_emoji_id);

create table rules (
  id bigint primary key generated always as identity,
  text text not null,
  hint text not null default '',
  translations jsonb not null default '{}',      -- {language: {text, hint}}
  position integer not null default 0,
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);

create table terms_of_service (
  id bigint generated always as identity primary key,
  text text not null,                                -- Markdown
  changelog text not null default '',
  effective_date date unique,                        -- null: effective on publication
  published_at timestamptz,                          -- null: a draft
  notified_at timestamptz,                           -- when users were notified
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Pictures that replace built-in ones.
create table site_pictures (
  name text primary key check (name in ('thumbnail', 'app_icon', 'favicon', 'mascot')),
  keys jsonb not null,                               -- stored files by version or size
  blurhash text,
  updated_at timestamptz not null default now()
);

-- Daily figures. They only grow: later deletions do not change them.
create table activity_days (
  day date primary key,
  statuses integer not null default 0,
  registrations integer not null default 0
);

-- The active users of each day, as far back as figures are published.
create table active_days (
  day date not null,
  user_id bigint not null references users (id) on delete cascade,
  primary key (day, user_id)
);
create index active_days_user on active_days (user_id);

create table annual_reports (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  year integer not null,
  data jsonb not null,                           -- entity AnnualReportData
  schema_version integer not null,
  share_key text not null,
  viewed_at timestamptz,                         -- null: not read yet
  created_at timestamptz not null default now(),
  unique (account_id, year)
);

-- Background tasks that clients query by an unguessable id (entity AsyncRefresh). Rows are removed
-- by age.
create table async_refreshes (
  id uuid primary key default gen_random_uuid(),
  key text not null unique,                      -- the task: one of each at a time
  result_count integer,
  created_at timestamptz not null default now(),
  finished_at timestamptz                        -- null: running
);
