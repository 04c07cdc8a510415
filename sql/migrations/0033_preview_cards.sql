-- Previews of pages that statuses link to.
-- Locks: none on existing tables, but for a moment statuses and accounts, which the new ones refer to.

create table preview_cards (
  id bigint primary key default snowflake(),
  url text not null unique check (octet_length(url) <= 2048),  -- normalised, as in the first status that linked to it, even when it redirects
  type text not null,                            -- link, photo, video
  title text not null default '',
  description text not null default '',
  language text,
  author_name text not null default '',
  author_url text not null default '',
  creator_account_id bigint references accounts (id) on delete set null,  -- named by the page; confirmed by the account's attribution_domains
  provider_name text not null default '',
  provider_url text not null default '',
  html text not null default '',                 -- sanitised, for videos
  width integer not null default 0,
  height integer not null default 0,
  image_key text,
  image_description text not null default '',
  blurhash text,
  embed_url text not null default '',            -- of photos
  published_at timestamptz,
  fetched_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);

create index preview_cards_by_creator on preview_cards (creator_account_id) where creator_account_id is not null;

-- Which preview a status shows.
create table preview_cards_statuses (
  status_id bigint primary key references statuses (id) on delete cascade,
  preview_card_id bigint not null references preview_cards (id) on delete cascade,
  url text not null                              -- as written in the status
);

create index preview_cards_statuses_by_card on preview_cards_statuses (preview_card_id, status_id desc);
