-- Accounts, local and remote, and their counters.

--! function apply_domain_rule
--! function sync_canonical_email_block

create table accounts (
  id bigint primary key default snowflake(),
  username text not null,
  domain text,                                   -- null: local
  display_name text not null default '',
  note text not null default '',                 -- as written; for a remote account the HTML it sent
  note_html text not null default '',            -- generated or sanitised once, when stored
  fields jsonb not null default '[]',            -- [{name, value, value_html, verified_at}]
  avatar jsonb,                                  -- {key, static_key, type, description?}; null: the default image
  avatar_description text not null default '',
  header jsonb,
  header_description text not null default '',
  -- of ActivityPub
  actor_type text not null default 'Person' check (actor_type in ('Person', 'Service', 'Application', 'Group', 'Organization')),
  locked boolean not null default false,
  discoverable boolean,                          -- null: never chosen
  indexable boolean not null default false,
  hide_collections boolean,
  show_media boolean not null default true,
  show_media_replies boolean not null default true,
  show_featured boolean not null default true,
  attribution_domains text[] not null default '{}',
  uri text not null default '',
  url text,
  inbox_url text not null default '',
  shared_inbox_url text not null default '',
  outbox_url text not null default '',
  followers_url text not null default '',
  public_key text not null default '',
  private_key text,
  moved_to_account_id bigint references accounts (id) on delete set null,
  pending boolean not null default false,        -- the user is not confirmed or not approved: hidden from everybody
  memorial boolean not null default false,
  suspended_at timestamptz,
  silenced_at timestamptz,
  sensitized_at timestamptz,
  deletion_requested_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  trendable boolean,                             -- the moderators' decision; null: the setting trendable_by_default decides
  reviewed_at timestamptz,
  requested_review_at timestamptz
);
create unique index accounts_handle on accounts (lower(username), lower(coalesce(domain, '')));
create unique index accounts_uri on accounts (uri) where uri <> '';
-- The newest local accounts, by page.
create index accounts_local_recent on accounts (id desc) where domain is null;
-- Search of accounts: by any part of handle and name, and by their beginnings.
create index accounts_names on accounts using gin ((lower(username) || ' ' || lower(display_name)) gin_trgm_ops);
create index accounts_username_prefix on accounts (lower(username) text_pattern_ops);
create index accounts_display_name_prefix on accounts (lower(display_name) text_pattern_ops);
-- The accounts of a domain and of its subdomains. Reversed, a domain begins with its parents.
create index accounts_by_domain on accounts (reverse(domain) text_pattern_ops) where domain is not null;
-- The directory, the newest account first.
create index accounts_discoverable on accounts (id desc)
  where discoverable and suspended_at is null and silenced_at is null and moved_to_account_id is null;
-- Suspended accounts by the time of their suspension, to find those whose data are due for removal.
create index accounts_suspended on accounts (suspended_at)
where suspended_at is not null and deletion_requested_at is null and domain is null;
create index accounts_moved_to on accounts (moved_to_account_id) where moved_to_account_id is not null;

create trigger accounts_suspension after update of suspended_at on accounts
for each row when (new.domain is null and (old.suspended_at is null) <> (new.suspended_at is null))
execute function sync_canonical_email_block();
create trigger accounts_domain_rule before insert on accounts
for each row when (new.domain is not null) execute function apply_domain_rule();

-- Counters separate from the account: they change often, the account rarely.
create table account_stats (
  account_id bigint primary key references accounts (id) on delete cascade,
  statuses_count bigint not null default 0,
  following_count bigint not null default 0,
  followers_count bigint not null default 0,
  last_status_at timestamptz
) with (fillfactor = 70);
-- The directory, the latest status first. Posting changes this index, which keeps its updates of
-- account_stats from being heap-only.
create index account_stats_active on account_stats (last_status_at desc nulls last, account_id desc);
