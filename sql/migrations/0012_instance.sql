-- What the instance shows: announcements, rules, terms, pictures and figures; yearly reports; work in the background.

create table announcements (
  id bigint primary key generated always as identity,
  text text not null,
  content text not null,                         -- HTML
  all_day boolean not null default false,
  starts_at timestamptz,
  ends_at timestamptz,
  scheduled_at timestamptz,                      -- when it is published by itself; null: not
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
  effective_date date unique,                        -- null: from their publication on
  published_at timestamptz,                          -- null: a draft
  notified_at timestamptz,                           -- when people were told of them
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Pictures that an administrator has put in the place of the built-in ones.
create table site_pictures (
  name text primary key check (name in ('thumbnail', 'app_icon', 'favicon', 'mascot')),
  keys jsonb not null,                               -- stored files by version or size
  blurhash text,
  updated_at timestamptz not null default now()
);

-- What happened on each day. Figures only grow: what is deleted later did happen.
create table activity_days (
  day date primary key,
  statuses integer not null default 0,
  registrations integer not null default 0
);

-- Who was there on which day, as far back as is told.
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

-- What runs in the background and is asked about by an id that nobody can guess (entity AsyncRefresh). Rows are forgotten by age.
create table async_refreshes (
  id uuid primary key default gen_random_uuid(),
  key text not null unique,                      -- what is being done: there is one of it at a time
  result_count integer,
  created_at timestamptz not null default now(),
  finished_at timestamptz                        -- null: running
);
