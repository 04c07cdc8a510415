-- Hashtags, their uses, followers and features; collections of accounts.

create table tags (
  id bigint primary key generated always as identity,
  name text not null unique,                     -- normalised: NFKC, lower case, accents folded
  display_name text not null,                    -- the first spelling
  usable boolean not null default true,
  trendable boolean,                             -- the moderators' decision; null: trendable_by_default decides
  reviewed_at timestamptz,
  requested_review_at timestamptz,
  listable boolean not null default true,
  last_status_at timestamptz,
  created_at timestamptz not null default now()
);
-- Hashtags by prefix.
create index tags_prefix on tags (name text_pattern_ops);
-- … and the shortest first: one look-up for each length.
create index tags_by_length on tags (length(name), name text_pattern_ops) where listable;

--! function set_status_tag_author

create table status_tags (
  tag_id bigint not null references tags (id) on delete cascade,
  status_id bigint not null references statuses (id) on delete cascade,
  -- the author: for the tags of a profile, whose cost would else grow with the activity of the
  -- author or the tag
  account_id bigint references accounts (id) on delete cascade,
  primary key (tag_id, status_id)
);
create index status_tags_by_status on status_tags (status_id);
-- The statuses of an account with a tag, the newest first.
create index status_tags_by_account on status_tags (account_id, tag_id, status_id desc);

create trigger status_tags_author before insert on status_tags for each row execute function set_status_tag_author();

create table tag_follows (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);
create index tag_follows_by_tag on tag_follows (tag_id);

-- Hashtags that an account features on its profile.
create table featured_tags (
  id bigint primary key generated always as identity,
  account_id bigint not null references accounts (id) on delete cascade,
  tag_id bigint not null references tags (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);

-- Collections of accounts, each curated by an account. `uri` and `url` are stored for remote ones
-- only.
create table collections (
  id bigint primary key default snowflake(),
  account_id bigint not null references accounts (id) on delete cascade,      -- the curator
  name text not null,
  description text,
  language text,
  tag_id bigint references tags (id) on delete set null,
  sensitive boolean not null,
  discoverable boolean not null,
  uri text unique,
  url text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- An account's collections, the newest first.
create index collections_by_account on collections (account_id, id desc);
create index collections_by_tag on collections (tag_id) where tag_id is not null;

-- An item that its account revoked stays, so that it cannot be added again.
create table collection_items (
  id bigint primary key default snowflake(),
  collection_id bigint not null references collections (id) on delete cascade,
  account_id bigint not null references accounts (id) on delete cascade,
  state text not null check (state in ('pending', 'accepted', 'rejected', 'revoked')),
  created_at timestamptz not null default now(),
  unique (collection_id, account_id)
);
-- The collections that contain an account, newest first.
create index collection_items_by_account on collection_items (account_id, collection_id desc);

-- The collections that the text of a status links to.
create table status_collections (
  status_id bigint not null references statuses (id) on delete cascade,
  collection_id bigint not null references collections (id) on delete cascade,
  primary key (status_id, collection_id)
);
create index status_collections_by_collection on status_collections (collection_id);
