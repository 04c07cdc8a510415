-- Trends: the daily use of hashtags and links, the scores of hashtags, statuses and links, and the
-- moderators' decisions.

-- The daily use (UTC) of hashtags in statuses that everybody may find. Counted by jobs
-- (src/timelines/trends), so that posts do not wait for others with the same hashtag.
create table tag_days (
  tag_id bigint not null references tags (id) on delete cascade,
  day date not null,
  uses integer not null,
  accounts integer not null,                     -- distinct authors
  language text,                                 -- of most of these statuses
  primary key (tag_id, day)
);
-- The most used hashtags of a day.
create index tag_days_by_day on tag_days (day, accounts);

-- The time of the latest count: later rows are found by their ids.
create table trend_counts (
  what text primary key check (what in ('tags', 'links')),
  counted_at timestamptz not null
);

-- A rising hashtag keeps its highest score for two days; `score` is the decayed value.
create table tag_trends (
  tag_id bigint primary key references tags (id) on delete cascade,
  peak double precision not null,
  peaked_at timestamptz not null,
  score double precision not null,
  language text
);

create table status_trends (
  status_id bigint primary key references statuses (id) on delete cascade,
  score double precision not null
);

-- The daily shares (UTC) of links, boosts included; as tag_days.
create table link_days (
  preview_card_id bigint not null references preview_cards (id) on delete cascade,
  day date not null,
  uses integer not null,
  accounts integer not null,                     -- distinct accounts
  primary key (preview_card_id, day)
);
create index link_days_by_day on link_days (day, accounts);

-- As tag_trends.
create table link_trends (
  preview_card_id bigint primary key references preview_cards (id) on delete cascade,
  peak double precision not null,
  peaked_at timestamptz not null,
  score double precision not null
);

-- Hosts of links that have trended.
create table link_publishers (
  id bigint primary key generated always as identity,
  domain text not null unique,
  trendable boolean,                             -- null: undecided
  reviewed_at timestamptz,
  requested_review_at timestamptz,
  created_at timestamptz not null default now()
);
