-- What people keep for themselves: lists, filters, markers; and what the instance shows: emojis, announcements, rules.

create table lists (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  title text not null,
  replies_policy text not null default 'list',   -- followed, list, none
  exclusive boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index lists_by_account on lists (account_id, id);

-- A member counts while the owner follows it (or is it): removing the follow removes the membership.
create table list_accounts (
  list_id bigint not null references lists (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  follow_id bigint references follows (id) on delete cascade,
  follow_request_id bigint references follow_requests (id) on delete cascade,
  primary key (list_id, account_id)
);

create index list_accounts_by_account on list_accounts (account_id);
create index list_accounts_by_follow on list_accounts (follow_id);
create index list_accounts_by_follow_request on list_accounts (follow_request_id);

create table filters (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  title text not null,
  contexts text[] not null,                      -- home, notifications, public, thread, account
  action text not null default 'warn',           -- warn, hide, blur
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index filters_by_account on filters (account_id, id);

create table filter_keywords (
  id bigint primary key generated always as identity,
  filter_id bigint not null references filters (id) on delete cascade,
  keyword text not null,
  whole_word boolean not null default true,
  created_at timestamptz not null default now()
);

create index filter_keywords_by_filter on filter_keywords (filter_id, id);

create table filter_statuses (
  id bigint primary key generated always as identity,
  filter_id bigint not null references filters (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (filter_id, status_id)
);

create index filter_statuses_by_status on filter_statuses (status_id);

create table markers (
  account_id bigint not null references accounts (id) on delete cascade,
  timeline text not null,                        -- home, notifications
  last_read_id bigint not null,
  version integer not null default 0,
  updated_at timestamptz not null default now(),
  primary key (account_id, timeline)
);

create table custom_emojis (
  id bigint primary key generated always as identity,
  shortcode text not null,
  domain text,                                   -- null: local
  image jsonb not null,                          -- {key, static_key, type}
  category text,
  visible_in_picker boolean not null default true,
  disabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index custom_emojis_shortcode on custom_emojis (shortcode, coalesce(domain, ''));

create table announcements (
  id bigint primary key generated always as identity,
  text text not null,
  content text not null,                         -- HTML
  all_day boolean not null default false,
  starts_at timestamptz,
  ends_at timestamptz,
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

create table push_subscriptions (
  id bigint primary key generated always as identity,
  token_id bigint not null unique references oauth_tokens (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  endpoint text not null,
  key_p256dh text not null,
  key_auth text not null,
  standard boolean not null default false,
  alerts jsonb not null default '{}',
  policy text not null default 'all',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create index push_subscriptions_by_user on push_subscriptions (user_id);
