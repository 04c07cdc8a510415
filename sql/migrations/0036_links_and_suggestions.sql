-- What links trend, who published them, and which accounts are popular enough to be suggested to everybody.
-- Locks: a column without a default is added to preview_cards, which takes an instant; statuses and accounts for a moment, which the new
-- tables refer to.

-- The host of a link, by which it belongs to a publisher.
create function url_host(url text) returns text
language sql immutable parallel safe
return lower(substring(url from '^https?://(?:[^/?#@]*@)?([^/?#:]+)'));

-- How much links are shared by day (UTC), boosts included; as tag_days.
create table link_days (
  preview_card_id bigint not null references preview_cards (id) on delete cascade,
  day date not null,
  uses integer not null,
  accounts integer not null,                     -- distinct ones that shared it
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

-- What moderators decided about a link; undecided (null) it goes by its publisher.
alter table preview_cards add column trendable boolean;

-- Hosts of links that have trended.
create table link_publishers (
  id bigint primary key generated always as identity,
  domain text not null unique,
  trendable boolean,                             -- null: undecided
  reviewed_at timestamptz,
  requested_review_at timestamptz,
  created_at timestamptz not null default now()
);

-- Accounts that are suggested to those who understand a language: once a day the most followed and the most liked ones of late
-- (src/suggestions).
create table popular_accounts (
  source text not null,                          -- most_followed, most_interactions
  language text not null,
  account_id bigint not null references accounts (id) on delete cascade,
  score integer not null,
  primary key (source, language, account_id)
);

create index popular_accounts_by_account on popular_accounts (account_id);

-- Accounts that may be suggested to the viewer: who want to be found and are as they should be, and whom the viewer has nothing to do with
-- yet: neither followed, asked, blocked (either way), muted, of a blocked domain, nor dismissed as a suggestion.
create function suggestable_accounts(viewer bigint) returns setof accounts
language sql stable rows 1000 as $$
  select a.*
  from accounts a
  where a.discoverable and a.id is distinct from viewer
    and a.suspended_at is null and a.silenced_at is null and a.deletion_requested_at is null
    and a.moved_to_account_id is null and not a.pending and not a.memorial
    and not exists (select from follows f where f.account_id = viewer and f.target_account_id = a.id)
    and not exists (select from follow_requests r where r.account_id = viewer and r.target_account_id = a.id)
    and not exists (select from suggestion_dismissals d where d.account_id = viewer and d.target_account_id = a.id)
    and not exists (select from blocks b where b.account_id = viewer and b.target_account_id = a.id)
    and not exists (select from blocks b where b.account_id = a.id and b.target_account_id = viewer)
    and not exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = a.id and (m.expires_at is null or m.expires_at > now())
    )
    and not exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = a.domain)
$$;
