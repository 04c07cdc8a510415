-- The schema that sql/migrations and sql/functions make, as PostgreSQL 18 prints it. Written by `npm run schema`: to be read, not to be run or edited.

create extension pg_trgm;

create extension unaccent;

create type day_counter as enum ('statuses', 'deleted_statuses', 'languages', 'accounts', 'follows', 'followers', 'media_bytes', 'reports', 'resolved_reports', 'interactions', 'registrations', 'sign_ups', 'sign_ins', 'cohorts', 'active_users');

create type visibility as enum ('public', 'unlisted', 'private', 'direct', 'limited');

create sequence snowflakes as bigint increment 1 minvalue 1 maxvalue 9223372036854775807 start 1 cache 1 cycle;

create table account_aliases (
  id bigint not null generated always as identity,
  account_id bigint not null,
  alias_account_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint account_aliases_pkey PRIMARY KEY (id),
  constraint account_aliases_account_id_alias_account_id_key UNIQUE (account_id, alias_account_id),
  constraint account_aliases_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_aliases_alias_account_id_fkey FOREIGN KEY (alias_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table account_conversations (
  id bigint not null default snowflake(),
  account_id bigint not null,
  conversation_id bigint not null,
  participant_account_ids bigint[] not null,
  status_ids bigint[] not null,
  last_status_id bigint,
  unread boolean not null default false,
  constraint account_conversations_pkey PRIMARY KEY (id),
  constraint account_conversations_account_id_conversation_id_participan_key UNIQUE (account_id, conversation_id, participant_account_ids),
  constraint account_conversations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_conversations_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE,
  constraint account_conversations_last_status_id_fkey FOREIGN KEY (last_status_id) REFERENCES statuses(id) ON DELETE SET NULL
);

create table account_domain_blocks (
  id bigint not null generated always as identity,
  account_id bigint not null,
  domain text not null,
  created_at timestamp with time zone not null default now(),
  constraint account_domain_blocks_pkey PRIMARY KEY (id),
  constraint account_domain_blocks_account_id_domain_key UNIQUE (account_id, domain),
  constraint account_domain_blocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table account_migrations (
  id bigint not null generated always as identity,
  account_id bigint not null,
  target_account_id bigint not null,
  followers_count bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint account_migrations_pkey PRIMARY KEY (id),
  constraint account_migrations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_migrations_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table account_notes (
  account_id bigint not null,
  target_account_id bigint not null,
  comment text not null,
  updated_at timestamp with time zone not null default now(),
  constraint account_notes_pkey PRIMARY KEY (account_id, target_account_id),
  constraint account_notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_notes_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table account_stats (
  account_id bigint not null,
  statuses_count bigint not null default 0,
  following_count bigint not null default 0,
  followers_count bigint not null default 0,
  last_status_at timestamp with time zone,
  followers_elsewhere integer not null default 0,
  following_elsewhere integer not null default 0,
  statuses_elsewhere integer not null default 0,
  constraint account_stats_pkey PRIMARY KEY (account_id),
  constraint account_stats_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
) with (fillfactor=70);

create table account_warnings (
  id bigint not null generated always as identity,
  account_id bigint,
  target_account_id bigint not null,
  action text not null,
  text text not null default ''::text,
  report_id bigint,
  status_ids bigint[],
  overruled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint account_warnings_pkey PRIMARY KEY (id),
  constraint account_warnings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint account_warnings_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE SET NULL,
  constraint account_warnings_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_warnings_action_check CHECK ((action = ANY (ARRAY['none'::text, 'disable'::text, 'sensitive'::text, 'silence'::text, 'suspend'::text, 'delete_statuses'::text, 'mark_statuses_as_sensitive'::text])))
);

create table accounts (
  id bigint not null default snowflake(),
  username text not null,
  domain text,
  display_name text not null default ''::text,
  note text not null default ''::text,
  note_html text not null default ''::text,
  fields jsonb not null default '[]'::jsonb,
  avatar jsonb,
  avatar_description text not null default ''::text,
  header jsonb,
  header_description text not null default ''::text,
  actor_type text not null default 'Person'::text,
  locked boolean not null default false,
  discoverable boolean,
  indexable boolean not null default false,
  hide_collections boolean,
  show_media boolean not null default true,
  show_media_replies boolean not null default true,
  show_featured boolean not null default true,
  attribution_domains text[] not null default '{}'::text[],
  uri text not null default ''::text,
  url text,
  inbox_url text not null default ''::text,
  shared_inbox_url text not null default ''::text,
  outbox_url text not null default ''::text,
  followers_url text not null default ''::text,
  public_key text not null default ''::text,
  private_key text,
  moved_to_account_id bigint,
  pending boolean not null default false,
  memorial boolean not null default false,
  suspended_at timestamp with time zone,
  silenced_at timestamp with time zone,
  sensitized_at timestamp with time zone,
  deletion_requested_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  trendable boolean,
  reviewed_at timestamp with time zone,
  requested_review_at timestamp with time zone,
  suspension_origin text not null default 'local'::text,
  featured_url text not null default ''::text,
  avatar_remote_url text,
  header_remote_url text,
  also_known_as text[] not null default '{}'::text[],
  key_id text not null default ''::text,
  fetched_at timestamp with time zone,
  handle_invalid boolean not null default false,
  feature_automatic text[],
  feature_manual text[],
  following_url text not null default ''::text,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_moved_to_account_id_fkey FOREIGN KEY (moved_to_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint accounts_actor_type_check CHECK ((actor_type = ANY (ARRAY['Person'::text, 'Service'::text, 'Application'::text, 'Group'::text, 'Organization'::text]))),
  constraint accounts_suspension_origin_check CHECK ((suspension_origin = ANY (ARRAY['local'::text, 'remote'::text])))
);

create table active_days (
  day date not null,
  user_id bigint not null,
  constraint active_days_pkey PRIMARY KEY (day, user_id),
  constraint active_days_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table admin_action_logs (
  id bigint not null generated always as identity,
  account_id bigint,
  action text not null,
  target_type text not null,
  target_id bigint,
  target_name text not null,
  created_at timestamp with time zone not null default now(),
  constraint admin_action_logs_pkey PRIMARY KEY (id),
  constraint admin_action_logs_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL
);

create table announcement_reactions (
  id bigint not null generated always as identity,
  account_id bigint not null,
  announcement_id bigint not null,
  name text not null,
  custom_emoji_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint announcement_reactions_pkey PRIMARY KEY (id),
  constraint announcement_reactions_account_id_announcement_id_name_key UNIQUE (account_id, announcement_id, name),
  constraint announcement_reactions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint announcement_reactions_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id) ON DELETE CASCADE,
  constraint announcement_reactions_custom_emoji_id_fkey FOREIGN KEY (custom_emoji_id) REFERENCES custom_emojis(id) ON DELETE CASCADE
);

create table announcement_reads (
  account_id bigint not null,
  announcement_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint announcement_reads_pkey PRIMARY KEY (account_id, announcement_id),
  constraint announcement_reads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint announcement_reads_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id) ON DELETE CASCADE
);

create table announcements (
  id bigint not null generated always as identity,
  text text not null,
  content text not null,
  all_day boolean not null default false,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  scheduled_at timestamp with time zone,
  published boolean not null default false,
  published_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  notified_at timestamp with time zone,
  constraint announcements_pkey PRIMARY KEY (id)
);

create table annual_reports (
  id bigint not null generated always as identity,
  account_id bigint not null,
  year integer not null,
  data jsonb not null,
  schema_version integer not null,
  share_key text not null,
  viewed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint annual_reports_pkey PRIMARY KEY (id),
  constraint annual_reports_account_id_year_key UNIQUE (account_id, year),
  constraint annual_reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table appeals (
  id bigint not null generated always as identity,
  account_id bigint not null,
  account_warning_id bigint not null,
  text text not null,
  approved_at timestamp with time zone,
  approved_by_account_id bigint,
  rejected_at timestamp with time zone,
  rejected_by_account_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint appeals_pkey PRIMARY KEY (id),
  constraint appeals_account_warning_id_key UNIQUE (account_warning_id),
  constraint appeals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint appeals_account_warning_id_fkey FOREIGN KEY (account_warning_id) REFERENCES account_warnings(id) ON DELETE CASCADE,
  constraint appeals_approved_by_account_id_fkey FOREIGN KEY (approved_by_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint appeals_rejected_by_account_id_fkey FOREIGN KEY (rejected_by_account_id) REFERENCES accounts(id) ON DELETE SET NULL
);

create table applications (
  id bigint not null generated always as identity,
  name text not null,
  website text,
  redirect_uris text[] not null,
  scopes text[] not null,
  client_id text not null,
  client_secret_hash bytea not null,
  superapp boolean not null default false,
  created_at timestamp with time zone not null default now(),
  owner_id bigint,
  constraint applications_pkey PRIMARY KEY (id),
  constraint applications_client_id_key UNIQUE (client_id),
  constraint applications_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE SET NULL
);

create table async_refreshes (
  id uuid not null default gen_random_uuid(),
  key text not null,
  result_count integer,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint async_refreshes_pkey PRIMARY KEY (id),
  constraint async_refreshes_key_key UNIQUE (key)
);

create table author_tombstones (
  uri text not null,
  author_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint author_tombstones_pkey PRIMARY KEY (uri, author_id)
);

create table automated_deletion_policies (
  account_id bigint not null,
  enabled boolean not null,
  min_age_days integer not null,
  keep_direct boolean not null default true,
  keep_pinned boolean not null default true,
  keep_polls boolean not null default false,
  keep_media boolean not null default false,
  keep_own_favourites boolean not null default true,
  keep_own_bookmarks boolean not null default true,
  min_favourites integer,
  min_reblogs integer,
  inspected_status_id bigint not null default 0,
  next_run_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint automated_deletion_policies_pkey PRIMARY KEY (account_id),
  constraint automated_deletion_policies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint automated_deletion_policies_min_age_days_check CHECK (((min_age_days >= 1) AND (min_age_days <= 36500))),
  constraint automated_deletion_policies_min_favourites_check CHECK ((min_favourites > 0)),
  constraint automated_deletion_policies_min_reblogs_check CHECK ((min_reblogs > 0))
);

create table backups (
  id bigint not null generated always as identity,
  user_id bigint not null,
  file_key text,
  size_bytes bigint not null default 0,
  ready_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table blocks (
  id bigint not null generated always as identity,
  account_id bigint not null,
  target_account_id bigint not null,
  uri text,
  created_at timestamp with time zone not null default now(),
  constraint blocks_pkey PRIMARY KEY (id),
  constraint blocks_account_id_target_account_id_key UNIQUE (account_id, target_account_id),
  constraint blocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint blocks_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table bookmarks (
  id bigint not null generated always as identity,
  account_id bigint not null,
  status_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint bookmarks_pkey PRIMARY KEY (id),
  constraint bookmarks_account_id_status_id_key UNIQUE (account_id, status_id),
  constraint bookmarks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint bookmarks_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table canonical_email_blocks (
  id bigint not null generated always as identity,
  canonical_email_hash text not null,
  reference_account_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint canonical_email_blocks_pkey PRIMARY KEY (id),
  constraint canonical_email_blocks_canonical_email_hash_key UNIQUE (canonical_email_hash),
  constraint canonical_email_blocks_reference_account_id_fkey FOREIGN KEY (reference_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table collection_items (
  id bigint not null default snowflake(),
  collection_id bigint not null,
  account_id bigint not null,
  state text not null,
  created_at timestamp with time zone not null default now(),
  approval_uri text,
  uri text,
  constraint collection_items_pkey PRIMARY KEY (id),
  constraint collection_items_collection_id_account_id_key UNIQUE (collection_id, account_id),
  constraint collection_items_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint collection_items_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  constraint collection_items_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'revoked'::text])))
);

create table collections (
  id bigint not null default snowflake(),
  account_id bigint not null,
  name text not null,
  description text,
  language text,
  tag_id bigint,
  sensitive boolean not null,
  discoverable boolean not null,
  uri text,
  url text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint collections_pkey PRIMARY KEY (id),
  constraint collections_uri_key UNIQUE (uri),
  constraint collections_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint collections_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE SET NULL
);

create table conversation_mutes (
  account_id bigint not null,
  conversation_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint conversation_mutes_pkey PRIMARY KEY (account_id, conversation_id),
  constraint conversation_mutes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint conversation_mutes_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);

create table conversations (
  id bigint not null default snowflake(),
  uri text,
  created_at timestamp with time zone not null default now(),
  constraint conversations_pkey PRIMARY KEY (id)
);

create table custom_emojis (
  id bigint not null generated always as identity,
  shortcode text not null,
  domain text,
  image jsonb not null,
  category text,
  visible_in_picker boolean not null default true,
  disabled boolean not null default false,
  featured boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  uri text,
  image_remote_url text,
  replaced_at timestamp with time zone,
  constraint custom_emojis_pkey PRIMARY KEY (id)
);

create table day_counters (
  counter day_counter not null,
  day date not null,
  domain text not null,
  detail text not null,
  slot integer not null,
  amount bigint not null,
  constraint day_counters_pkey PRIMARY KEY (counter, day, domain, detail, slot)
) with (fillfactor=70);

create table delivery_hosts (
  host text not null,
  failures integer not null default 0,
  paused_until timestamp with time zone,
  failed_days date[] not null default '{}'::date[],
  unavailable_since timestamp with time zone,
  last_failed_at timestamp with time zone,
  last_error text,
  constraint delivery_hosts_pkey PRIMARY KEY (host)
);

create table delivery_successes (
  host text not null,
  at timestamp with time zone not null default now(),
  constraint delivery_successes_pkey PRIMARY KEY (host)
);

create table domain_allows (
  id bigint not null generated always as identity,
  domain text not null,
  created_at timestamp with time zone not null default now(),
  constraint domain_allows_pkey PRIMARY KEY (id),
  constraint domain_allows_domain_key UNIQUE (domain)
);

create table domain_blocks (
  id bigint not null generated always as identity,
  domain text not null,
  severity text not null default 'silence'::text,
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  private_comment text not null default ''::text,
  public_comment text not null default ''::text,
  obfuscate boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint domain_blocks_pkey PRIMARY KEY (id),
  constraint domain_blocks_domain_key UNIQUE (domain),
  constraint domain_blocks_severity_check CHECK ((severity = ANY (ARRAY['noop'::text, 'silence'::text, 'suspend'::text])))
);

create table email_deliveries (
  mailing text not null,
  recipient_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint email_deliveries_pkey PRIMARY KEY (mailing, recipient_id)
);

create table email_domain_block_attempts (
  block_id bigint not null,
  day date not null,
  ip inet not null,
  uses integer not null default 1,
  constraint email_domain_block_attempts_pkey PRIMARY KEY (block_id, day, ip),
  constraint email_domain_block_attempts_block_id_fkey FOREIGN KEY (block_id) REFERENCES email_domain_blocks(id) ON DELETE CASCADE
);

create table email_domain_blocks (
  id bigint not null generated always as identity,
  domain text not null,
  allow_with_approval boolean not null default false,
  parent_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint email_domain_blocks_pkey PRIMARY KEY (id),
  constraint email_domain_blocks_domain_key UNIQUE (domain),
  constraint email_domain_blocks_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES email_domain_blocks(id) ON DELETE CASCADE
);

create table email_rounds (
  due_at timestamp with time zone not null,
  constraint email_rounds_pkey PRIMARY KEY (due_at)
);

create table email_subscriptions (
  id bigint not null generated always as identity,
  account_id bigint not null,
  email text not null,
  locale text,
  confirmed_at timestamp with time zone,
  confirmation_token_hash bytea,
  confirmation_sent_at timestamp with time zone,
  requested_at timestamp with time zone not null default now(),
  requested_ip inet,
  constraint email_subscriptions_pkey PRIMARY KEY (id),
  constraint email_subscriptions_account_id_email_key UNIQUE (account_id, email),
  constraint email_subscriptions_confirmation_token_hash_key UNIQUE (confirmation_token_hash),
  constraint email_subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint email_subscriptions_email_check CHECK ((octet_length(email) <= 1280))
);

create table endorsements (
  id bigint not null generated always as identity,
  account_id bigint not null,
  target_account_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint endorsements_pkey PRIMARY KEY (id),
  constraint endorsements_account_id_target_account_id_key UNIQUE (account_id, target_account_id),
  constraint endorsements_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint endorsements_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table events (
  txid xid8 not null default pg_current_xact_id(),
  id bigint not null generated always as identity,
  kind text not null,
  actor_id bigint,
  account_id bigint,
  status_id bigint,
  object_id bigint,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default clock_timestamp()
) partition by RANGE (created_at);

create table events_default partition of events DEFAULT;

create table favourites (
  id bigint not null generated always as identity,
  account_id bigint not null,
  status_id bigint not null,
  created_at timestamp with time zone not null default now(),
  uri text,
  constraint favourites_pkey PRIMARY KEY (id),
  constraint favourites_account_id_status_id_key UNIQUE (account_id, status_id),
  constraint favourites_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint favourites_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table featured_tags (
  id bigint not null generated always as identity,
  account_id bigint not null,
  tag_id bigint not null,
  name text not null,
  created_at timestamp with time zone not null default now(),
  constraint featured_tags_pkey PRIMARY KEY (id),
  constraint featured_tags_account_id_tag_id_key UNIQUE (account_id, tag_id),
  constraint featured_tags_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint featured_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);

create table filter_keywords (
  id bigint not null generated always as identity,
  filter_id bigint not null,
  keyword text not null,
  whole_word boolean not null default true,
  created_at timestamp with time zone not null default now(),
  constraint filter_keywords_pkey PRIMARY KEY (id),
  constraint filter_keywords_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES filters(id) ON DELETE CASCADE
);

create table filter_statuses (
  id bigint not null generated always as identity,
  filter_id bigint not null,
  status_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint filter_statuses_pkey PRIMARY KEY (id),
  constraint filter_statuses_filter_id_status_id_key UNIQUE (filter_id, status_id),
  constraint filter_statuses_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES filters(id) ON DELETE CASCADE,
  constraint filter_statuses_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table filters (
  id bigint not null generated always as identity,
  account_id bigint not null,
  title text not null,
  contexts text[] not null,
  action text not null default 'warn'::text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint filters_pkey PRIMARY KEY (id),
  constraint filters_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint filters_action_check CHECK ((action = ANY (ARRAY['warn'::text, 'hide'::text, 'blur'::text]))),
  constraint filters_contexts_check CHECK ((contexts <@ ARRAY['home'::text, 'notifications'::text, 'public'::text, 'thread'::text, 'account'::text]))
);

create table follow_requests (
  id bigint not null generated always as identity,
  account_id bigint not null,
  target_account_id bigint not null,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  languages text[],
  uri text,
  created_at timestamp with time zone not null default now(),
  constraint follow_requests_pkey PRIMARY KEY (id),
  constraint follow_requests_account_id_target_account_id_key UNIQUE (account_id, target_account_id),
  constraint follow_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint follow_requests_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table follows (
  id bigint not null generated always as identity,
  account_id bigint not null,
  target_account_id bigint not null,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  languages text[],
  uri text,
  created_at timestamp with time zone not null default now(),
  constraint follows_pkey PRIMARY KEY (id),
  constraint follows_account_id_target_account_id_key UNIQUE (account_id, target_account_id) INCLUDE (created_at),
  constraint follows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint follows_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table functions (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint functions_pkey PRIMARY KEY (name)
);

create table idempotency_keys (
  account_id bigint not null,
  key text not null,
  status_id bigint,
  scheduled_status_id bigint,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, key),
  constraint idempotency_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint idempotency_keys_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table import_rows (
  import_id bigint not null,
  "position" integer not null,
  cells text[] not null,
  state text not null default 'waiting'::text,
  target_id bigint,
  target_domain text,
  constraint import_rows_pkey PRIMARY KEY (import_id, "position"),
  constraint import_rows_import_id_fkey FOREIGN KEY (import_id) REFERENCES imports(id) ON DELETE CASCADE,
  constraint import_rows_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text])))
);

create table imports (
  id bigint not null generated always as identity,
  account_id bigint not null,
  kind text not null,
  overwrite boolean not null,
  file_name text not null,
  rows_count integer not null,
  done_count integer not null default 0,
  failed_count integer not null default 0,
  finished_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['follows'::text, 'blocks'::text, 'mutes'::text, 'domain_blocks'::text, 'bookmarks'::text, 'lists'::text])))
);

create table invites (
  id bigint not null generated always as identity,
  user_id bigint,
  code text not null,
  expires_at timestamp with time zone,
  max_uses integer,
  uses integer not null default 0,
  autofollow boolean not null default false,
  comment text,
  created_at timestamp with time zone not null default now(),
  constraint invites_pkey PRIMARY KEY (id),
  constraint invites_code_key UNIQUE (code),
  constraint invites_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table ip_blocks (
  id bigint not null generated always as identity,
  ip cidr not null,
  severity text not null,
  comment text not null default ''::text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint ip_blocks_pkey PRIMARY KEY (id),
  constraint ip_blocks_ip_key UNIQUE (ip),
  constraint ip_blocks_severity_check CHECK ((severity = ANY (ARRAY['sign_up_requires_approval'::text, 'sign_up_block'::text, 'no_access'::text])))
);

create table link_days (
  preview_card_id bigint not null,
  day date not null,
  uses integer not null,
  accounts integer not null,
  constraint link_days_pkey PRIMARY KEY (preview_card_id, day),
  constraint link_days_preview_card_id_fkey FOREIGN KEY (preview_card_id) REFERENCES preview_cards(id) ON DELETE CASCADE
);

create table link_publishers (
  id bigint not null generated always as identity,
  domain text not null,
  trendable boolean,
  reviewed_at timestamp with time zone,
  requested_review_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint link_publishers_pkey PRIMARY KEY (id),
  constraint link_publishers_domain_key UNIQUE (domain)
);

create table link_trends (
  preview_card_id bigint not null,
  peak double precision not null,
  peaked_at timestamp with time zone not null,
  score double precision not null,
  constraint link_trends_pkey PRIMARY KEY (preview_card_id),
  constraint link_trends_preview_card_id_fkey FOREIGN KEY (preview_card_id) REFERENCES preview_cards(id) ON DELETE CASCADE
);

create table list_accounts (
  list_id bigint not null,
  account_id bigint not null,
  follow_id bigint,
  follow_request_id bigint,
  constraint list_accounts_pkey PRIMARY KEY (list_id, account_id),
  constraint list_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint list_accounts_follow_id_fkey FOREIGN KEY (follow_id) REFERENCES follows(id) ON DELETE CASCADE,
  constraint list_accounts_follow_request_id_fkey FOREIGN KEY (follow_request_id) REFERENCES follow_requests(id) ON DELETE CASCADE,
  constraint list_accounts_list_id_fkey FOREIGN KEY (list_id) REFERENCES lists(id) ON DELETE CASCADE
);

create table lists (
  id bigint not null generated always as identity,
  account_id bigint not null,
  title text not null,
  replies_policy text not null default 'list'::text,
  exclusive boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint lists_pkey PRIMARY KEY (id),
  constraint lists_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint lists_replies_policy_check CHECK ((replies_policy = ANY (ARRAY['followed'::text, 'list'::text, 'none'::text])))
);

create table login_activities (
  id bigint not null generated always as identity,
  user_id bigint not null,
  method text not null,
  success boolean not null,
  ip inet not null,
  user_agent text not null default ''::text,
  created_at timestamp with time zone not null default now(),
  constraint login_activities_pkey PRIMARY KEY (id),
  constraint login_activities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint login_activities_method_check CHECK ((method = ANY (ARRAY['password'::text, 'otp'::text, 'webauthn'::text])))
);

create table markers (
  account_id bigint not null,
  timeline text not null,
  last_read_id bigint not null,
  version integer not null default 0,
  updated_at timestamp with time zone not null default now(),
  constraint markers_pkey PRIMARY KEY (account_id, timeline),
  constraint markers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint markers_timeline_check CHECK ((timeline = ANY (ARRAY['home'::text, 'notifications'::text])))
);

create table media_attachments (
  id bigint not null default snowflake(),
  account_id bigint not null,
  status_id bigint,
  scheduled_status_id bigint,
  type text not null default 'unknown'::text,
  processing text not null default 'done'::text,
  source_key text,
  file_key text,
  preview_key text,
  remote_url text,
  meta jsonb not null default '{}'::jsonb,
  description text,
  blurhash text,
  created_at timestamp with time zone not null default now(),
  file_bytes bigint not null default 0,
  preview_bytes bigint not null default 0,
  preview_remote_url text,
  constraint media_attachments_pkey PRIMARY KEY (id),
  constraint media_attachments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint media_attachments_scheduled_status_id_fkey FOREIGN KEY (scheduled_status_id) REFERENCES scheduled_statuses(id) ON DELETE SET NULL,
  constraint media_attachments_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE SET NULL,
  constraint media_attachments_processing_check CHECK ((processing = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text]))),
  constraint media_attachments_type_check CHECK ((type = ANY (ARRAY['image'::text, 'gifv'::text, 'video'::text, 'audio'::text, 'unknown'::text])))
);

create table member_mailings (
  id bigint not null generated always as identity,
  terms_id bigint,
  announcement_id bigint,
  reached_user_id bigint not null default 0,
  sent_count integer not null default 0,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  constraint member_mailings_pkey PRIMARY KEY (id),
  constraint member_mailings_announcement_id_key UNIQUE (announcement_id),
  constraint member_mailings_terms_id_key UNIQUE (terms_id),
  constraint member_mailings_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id) ON DELETE CASCADE,
  constraint member_mailings_terms_id_fkey FOREIGN KEY (terms_id) REFERENCES terms_of_service(id) ON DELETE CASCADE,
  constraint member_mailings_check CHECK ((num_nonnulls(terms_id, announcement_id) = 1))
);

create table mentions (
  id bigint not null generated always as identity,
  status_id bigint not null,
  account_id bigint not null,
  silent boolean not null default false,
  constraint mentions_pkey PRIMARY KEY (id),
  constraint mentions_status_id_account_id_key UNIQUE (status_id, account_id),
  constraint mentions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint mentions_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table moderation_notes (
  id bigint not null generated always as identity,
  account_id bigint,
  target_account_id bigint,
  report_id bigint,
  content text not null,
  created_at timestamp with time zone not null default now(),
  constraint moderation_notes_pkey PRIMARY KEY (id),
  constraint moderation_notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint moderation_notes_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE,
  constraint moderation_notes_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint moderation_notes_check CHECK ((num_nonnulls(target_account_id, report_id) = 1))
);

create table mutes (
  id bigint not null generated always as identity,
  account_id bigint not null,
  target_account_id bigint not null,
  hide_notifications boolean not null default true,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint mutes_pkey PRIMARY KEY (id),
  constraint mutes_account_id_target_account_id_key UNIQUE (account_id, target_account_id),
  constraint mutes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint mutes_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table notification_groups (
  account_id bigint not null,
  group_key text not null,
  type text not null,
  newest_id bigint not null,
  oldest_id bigint not null,
  members bigint not null,
  constraint notification_groups_pkey PRIMARY KEY (account_id, group_key),
  constraint notification_groups_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table notification_merges (
  account_id bigint not null,
  from_account_id bigint not null,
  constraint notification_merges_pkey PRIMARY KEY (account_id, from_account_id),
  constraint notification_merges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notification_merges_from_account_id_fkey FOREIGN KEY (from_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table notification_permissions (
  account_id bigint not null,
  from_account_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint notification_permissions_pkey PRIMARY KEY (account_id, from_account_id),
  constraint notification_permissions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notification_permissions_from_account_id_fkey FOREIGN KEY (from_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table notification_policies (
  account_id bigint not null,
  for_not_following text not null default 'accept'::text,
  for_not_followers text not null default 'accept'::text,
  for_new_accounts text not null default 'accept'::text,
  for_private_mentions text not null default 'filter'::text,
  for_limited_accounts text not null default 'filter'::text,
  for_bots text not null default 'accept'::text,
  constraint notification_policies_pkey PRIMARY KEY (account_id),
  constraint notification_policies_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notification_policies_for_bots_check CHECK ((for_bots = ANY (ARRAY['accept'::text, 'filter'::text, 'drop'::text]))),
  constraint notification_policies_for_limited_accounts_check CHECK ((for_limited_accounts = ANY (ARRAY['accept'::text, 'filter'::text, 'drop'::text]))),
  constraint notification_policies_for_new_accounts_check CHECK ((for_new_accounts = ANY (ARRAY['accept'::text, 'filter'::text, 'drop'::text]))),
  constraint notification_policies_for_not_followers_check CHECK ((for_not_followers = ANY (ARRAY['accept'::text, 'filter'::text, 'drop'::text]))),
  constraint notification_policies_for_not_following_check CHECK ((for_not_following = ANY (ARRAY['accept'::text, 'filter'::text, 'drop'::text]))),
  constraint notification_policies_for_private_mentions_check CHECK ((for_private_mentions = ANY (ARRAY['accept'::text, 'filter'::text, 'drop'::text])))
);

create table notification_requests (
  id bigint not null default snowflake(),
  account_id bigint not null,
  from_account_id bigint not null,
  last_status_id bigint,
  notifications_count bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint notification_requests_pkey PRIMARY KEY (id),
  constraint notification_requests_account_id_from_account_id_key UNIQUE (account_id, from_account_id),
  constraint notification_requests_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notification_requests_from_account_id_fkey FOREIGN KEY (from_account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notification_requests_last_status_id_fkey FOREIGN KEY (last_status_id) REFERENCES statuses(id) ON DELETE SET NULL
);

create table notifications (
  id bigint not null generated always as identity,
  account_id bigint not null,
  from_account_id bigint not null,
  type text not null,
  status_id bigint,
  activity_id bigint,
  group_key text not null,
  filtered boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notifications_from_account_id_fkey FOREIGN KEY (from_account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notifications_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE,
  constraint notifications_type_check CHECK ((type = ANY (ARRAY['mention'::text, 'status'::text, 'reblog'::text, 'follow'::text, 'follow_request'::text, 'favourite'::text, 'poll'::text, 'update'::text, 'severed_relationships'::text, 'moderation_warning'::text, 'annual_report'::text, 'admin.sign_up'::text, 'admin.report'::text, 'quote'::text, 'quoted_update'::text, 'added_to_collection'::text, 'collection_update'::text])))
);

create table oauth_grants (
  id bigint not null generated always as identity,
  code_hash bytea not null,
  application_id bigint not null,
  user_id bigint not null,
  token_id bigint,
  redirect_uri text not null,
  scopes text[] not null,
  code_challenge text,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint oauth_grants_pkey PRIMARY KEY (id),
  constraint oauth_grants_code_hash_key UNIQUE (code_hash),
  constraint oauth_grants_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(id) ON DELETE CASCADE,
  constraint oauth_grants_token_id_fkey FOREIGN KEY (token_id) REFERENCES oauth_tokens(id) ON DELETE SET NULL,
  constraint oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table oauth_tokens (
  id bigint not null generated always as identity,
  token_hash bytea not null,
  seed bytea,
  application_id bigint,
  user_id bigint,
  scopes text[] not null,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  last_used_ip inet,
  created_at timestamp with time zone not null default now(),
  constraint oauth_tokens_pkey PRIMARY KEY (id),
  constraint oauth_tokens_token_hash_key UNIQUE (token_hash),
  constraint oauth_tokens_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(id) ON DELETE CASCADE,
  constraint oauth_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table outgoing_activities (
  id bigint not null generated always as identity,
  sender_id bigint,
  object text not null,
  body text not null,
  created_at timestamp with time zone not null default now(),
  signing_key bytea,
  constraint outgoing_activities_pkey PRIMARY KEY (id)
);

create table owner_links (
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint owner_links_pkey PRIMARY KEY (token_hash)
);

create table poll_votes (
  poll_id bigint not null,
  account_id bigint not null,
  choice integer not null,
  created_at timestamp with time zone not null default now(),
  constraint poll_votes_pkey PRIMARY KEY (poll_id, account_id, choice),
  constraint poll_votes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint poll_votes_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES polls(id) ON DELETE CASCADE
);

create table polls (
  id bigint not null generated always as identity,
  status_id bigint not null,
  options text[] not null,
  tallies integer[] not null,
  voters_count integer default 0,
  multiple boolean not null,
  hide_totals boolean not null,
  expires_in_s integer,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  fetched_at timestamp with time zone,
  constraint polls_pkey PRIMARY KEY (id),
  constraint polls_status_id_key UNIQUE (status_id),
  constraint polls_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
) with (fillfactor=80);

create table popular_accounts (
  source text not null,
  language text not null,
  account_id bigint not null,
  score integer not null,
  constraint popular_accounts_pkey PRIMARY KEY (source, language, account_id),
  constraint popular_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint popular_accounts_source_check CHECK ((source = ANY (ARRAY['most_followed'::text, 'most_interactions'::text])))
);

create table preview_cards (
  id bigint not null generated by default as identity,
  url text not null,
  type text not null,
  title text not null default ''::text,
  description text not null default ''::text,
  language text,
  author_name text not null default ''::text,
  author_url text not null default ''::text,
  creator_account_id bigint,
  provider_name text not null default ''::text,
  provider_url text not null default ''::text,
  html text not null default ''::text,
  width integer not null default 0,
  height integer not null default 0,
  image_key text,
  image_description text not null default ''::text,
  blurhash text,
  embed_url text not null default ''::text,
  published_at timestamp with time zone,
  trendable boolean,
  fetched_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  page_url text,
  article boolean not null default true,
  constraint preview_cards_pkey PRIMARY KEY (id),
  constraint preview_cards_url_key UNIQUE (url),
  constraint preview_cards_creator_account_id_fkey FOREIGN KEY (creator_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint preview_cards_type_check CHECK ((type = ANY (ARRAY['link'::text, 'photo'::text, 'video'::text]))),
  constraint preview_cards_url_check CHECK ((octet_length(url) <= 2048))
);

create table preview_cards_statuses (
  status_id bigint not null,
  preview_card_id bigint not null,
  url text not null,
  constraint preview_cards_statuses_pkey PRIMARY KEY (status_id),
  constraint preview_cards_statuses_preview_card_id_fkey FOREIGN KEY (preview_card_id) REFERENCES preview_cards(id) ON DELETE CASCADE,
  constraint preview_cards_statuses_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table push_subscriptions (
  id bigint not null generated always as identity,
  token_id bigint not null,
  user_id bigint not null,
  endpoint text not null,
  key_p256dh text not null,
  key_auth text not null,
  sealed_token bytea not null,
  standard boolean not null default false,
  alerts jsonb not null default '{}'::jsonb,
  policy text not null default 'all'::text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint push_subscriptions_pkey PRIMARY KEY (id),
  constraint push_subscriptions_token_id_key UNIQUE (token_id),
  constraint push_subscriptions_token_id_fkey FOREIGN KEY (token_id) REFERENCES oauth_tokens(id) ON DELETE CASCADE,
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint push_subscriptions_policy_check CHECK ((policy = ANY (ARRAY['all'::text, 'followed'::text, 'follower'::text, 'none'::text])))
);

create table quotes (
  id bigint not null default snowflake(),
  status_id bigint not null,
  account_id bigint not null,
  quoted_status_id bigint,
  quoted_account_id bigint not null,
  state text not null,
  created_at timestamp with time zone not null default now(),
  uri text,
  approval_uri text,
  constraint quotes_pkey PRIMARY KEY (id),
  constraint quotes_status_id_key UNIQUE (status_id),
  constraint quotes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint quotes_quoted_account_id_fkey FOREIGN KEY (quoted_account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint quotes_quoted_status_id_fkey FOREIGN KEY (quoted_status_id) REFERENCES statuses(id) ON DELETE SET NULL,
  constraint quotes_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE,
  constraint quotes_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text, 'revoked'::text])))
);

create unlogged table rate_counters (
  name text not null,
  key text not null,
  window_start timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  amount bigint not null,
  constraint rate_counters_pkey PRIMARY KEY (name, key, window_start)
);

create table received_activities (
  id bigint not null generated always as identity,
  lane smallint not null,
  host text not null,
  actor text not null,
  body text not null,
  recipient_id bigint,
  received_at timestamp with time zone not null default now(),
  constraint received_activities_pkey PRIMARY KEY (id)
);

create table relays (
  id bigint not null generated always as identity,
  inbox_url text not null,
  host text not null,
  state text not null,
  follow_uri text,
  actor_uri text,
  created_at timestamp with time zone not null default now(),
  changed_at timestamp with time zone not null default now(),
  constraint relays_pkey PRIMARY KEY (id),
  constraint relays_follow_uri_key UNIQUE (follow_uri),
  constraint relays_inbox_url_key UNIQUE (inbox_url),
  constraint relays_check CHECK (((state = 'idle'::text) = (follow_uri IS NULL))),
  constraint relays_state_check CHECK ((state = ANY (ARRAY['idle'::text, 'pending'::text, 'accepted'::text, 'rejected'::text])))
);

create table remote_keys (
  key_id text not null,
  owner text not null,
  handle text not null,
  public_key text not null,
  fetched_at timestamp with time zone not null default now(),
  constraint remote_keys_pkey PRIMARY KEY (key_id)
);

create table replaced_keys (
  owner text not null,
  public_key text not null,
  updated timestamp with time zone,
  replaced_at timestamp with time zone not null default now(),
  constraint replaced_keys_pkey PRIMARY KEY (owner, public_key)
);

create table reply_fetches (
  status_id bigint not null,
  fetched_at timestamp with time zone not null default now(),
  constraint reply_fetches_pkey PRIMARY KEY (status_id),
  constraint reply_fetches_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table reports (
  id bigint not null generated always as identity,
  account_id bigint not null,
  target_account_id bigint not null,
  application_id bigint,
  category text not null default 'other'::text,
  comment text not null default ''::text,
  status_ids bigint[] not null default '{}'::bigint[],
  collection_ids bigint[] not null default '{}'::bigint[],
  rule_ids bigint[],
  forwarded boolean,
  forwarded_to text[] not null default '{}'::text[],
  uri text,
  assigned_account_id bigint,
  action_taken_at timestamp with time zone,
  action_taken_by_account_id bigint,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  target_domain text,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint reports_action_taken_by_account_id_fkey FOREIGN KEY (action_taken_by_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint reports_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(id) ON DELETE SET NULL,
  constraint reports_assigned_account_id_fkey FOREIGN KEY (assigned_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint reports_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint reports_category_check CHECK ((category = ANY (ARRAY['spam'::text, 'legal'::text, 'violation'::text, 'other'::text])))
);

create table retention_progress (
  only_one boolean not null default true,
  examined_status_id bigint not null,
  round_began_at timestamp with time zone not null default now(),
  constraint retention_progress_pkey PRIMARY KEY (only_one),
  constraint retention_progress_only_one_check CHECK (only_one)
);

create table roles (
  id bigint not null generated by default as identity,
  name text not null,
  color text not null default ''::text,
  "position" integer not null default 0,
  permissions bigint not null default 0,
  highlighted boolean not null default false,
  require_2fa boolean not null default false,
  collection_limit integer not null default 10,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint roles_pkey PRIMARY KEY (id)
);

create table rules (
  id bigint not null generated always as identity,
  text text not null,
  hint text not null default ''::text,
  translations jsonb not null default '{}'::jsonb,
  "position" integer not null default 0,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint rules_pkey PRIMARY KEY (id)
);

create table scheduled_statuses (
  id bigint not null generated always as identity,
  account_id bigint not null,
  application_id bigint,
  scheduled_at timestamp with time zone not null,
  params jsonb not null,
  settled jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint scheduled_statuses_pkey PRIMARY KEY (id),
  constraint scheduled_statuses_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint scheduled_statuses_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(id) ON DELETE SET NULL
);

create table secrets (
  name text not null,
  value text not null,
  created_at timestamp with time zone not null default now(),
  constraint secrets_pkey PRIMARY KEY (name)
);

create table security_keys (
  id bigint not null generated always as identity,
  user_id bigint not null,
  external_id text not null,
  public_key bytea not null,
  sign_count bigint not null,
  nickname text not null,
  transports text[] not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint security_keys_pkey PRIMARY KEY (id),
  constraint security_keys_external_id_key UNIQUE (external_id),
  constraint security_keys_user_id_nickname_key UNIQUE (user_id, nickname),
  constraint security_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table sessions (
  id bigint not null generated always as identity,
  session_hash bytea not null,
  user_id bigint not null,
  user_agent text not null default ''::text,
  ip inet,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_session_hash_key UNIQUE (session_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table settings (
  key text not null,
  value jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint settings_pkey PRIMARY KEY (key)
);

create table severances (
  id bigint not null,
  account_id bigint not null,
  type text not null,
  target_name text not null,
  purged boolean not null default false,
  followers_count integer not null default 0,
  following_count integer not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint severances_pkey PRIMARY KEY (id),
  constraint severances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint severances_type_check CHECK ((type = ANY (ARRAY['domain_block'::text, 'user_domain_block'::text, 'account_suspension'::text])))
);

create table severed_follows (
  id bigint not null generated always as identity,
  severance_id bigint not null,
  following boolean not null,
  handle text not null,
  show_reblogs boolean not null,
  notify boolean not null,
  languages text[],
  constraint severed_follows_pkey PRIMARY KEY (severance_id, following, id),
  constraint severed_follows_severance_id_fkey FOREIGN KEY (severance_id) REFERENCES severances(id) ON DELETE CASCADE
);

create table signing_keys (
  account_id bigint,
  public_key text not null,
  private_key bytea not null,
  created_at timestamp with time zone not null default now(),
  deletion_sent_at timestamp with time zone,
  constraint signing_keys_account_id_key UNIQUE NULLS NOT DISTINCT (account_id),
  constraint signing_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table site_pictures (
  name text not null,
  keys jsonb not null,
  blurhash text,
  updated_at timestamp with time zone not null default now(),
  constraint site_pictures_pkey PRIMARY KEY (name),
  constraint site_pictures_name_check CHECK ((name = ANY (ARRAY['thumbnail'::text, 'app_icon'::text, 'favicon'::text, 'mascot'::text])))
);

create table staff_tasks (
  id bigint not null generated always as identity,
  kind text not null,
  moderator_id bigint,
  target_account_id bigint,
  domain text,
  days integer,
  widened boolean not null default false,
  total_count integer,
  done_count integer not null default 0,
  failed boolean not null default false,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  narrowed boolean not null default false,
  constraint staff_tasks_pkey PRIMARY KEY (id),
  constraint staff_tasks_moderator_id_fkey FOREIGN KEY (moderator_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint staff_tasks_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint staff_tasks_kind_check CHECK ((kind = ANY (ARRAY['follow_all'::text, 'unfollow_all'::text, 'purge_domain'::text, 'remove_media'::text, 'remove_statuses'::text, 'purge_emojis'::text, 'purge_remote_emojis'::text, 'purge_suspended_emojis'::text, 'remove_previews'::text, 'remove_pictures'::text, 'prune_accounts'::text, 'cull_accounts'::text, 'refresh_accounts'::text, 'rotate_keys'::text, 'refresh_media'::text, 'remove_orphans'::text, 'recount_accounts'::text, 'recount_statuses'::text]))),
  constraint staff_tasks_subject_check CHECK (
CASE
    WHEN ((kind ~~ 'purge\_%emojis'::text) OR (kind = ANY (ARRAY['prune_accounts'::text, 'remove_orphans'::text, 'recount_accounts'::text, 'recount_statuses'::text]))) THEN (num_nonnulls(target_account_id, domain, days) = 0)
    WHEN (kind = ANY (ARRAY['cull_accounts'::text, 'refresh_accounts'::text, 'rotate_keys'::text])) THEN (num_nonnulls(target_account_id, domain, days) <= 1)
    ELSE (num_nonnulls(target_account_id, domain, days) = 1)
END)
);

create table status_collections (
  status_id bigint not null,
  collection_id bigint not null,
  constraint status_collections_pkey PRIMARY KEY (status_id, collection_id),
  constraint status_collections_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collections(id) ON DELETE CASCADE,
  constraint status_collections_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table status_edits (
  id bigint not null generated always as identity,
  status_id bigint not null,
  account_id bigint not null,
  text text not null,
  content text not null,
  spoiler_text text not null,
  sensitive boolean not null,
  details jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  constraint status_edits_pkey PRIMARY KEY (id),
  constraint status_edits_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint status_edits_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table status_pins (
  id bigint not null generated always as identity,
  account_id bigint not null,
  status_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint status_pins_pkey PRIMARY KEY (id),
  constraint status_pins_account_id_status_id_key UNIQUE (account_id, status_id),
  constraint status_pins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint status_pins_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table status_removals (
  only_one boolean not null default true,
  before timestamp with time zone not null,
  clean_followed boolean not null,
  after bigint not null,
  removed integer not null,
  total integer not null,
  constraint status_removals_pkey PRIMARY KEY (only_one),
  constraint status_removals_only_one_check CHECK (only_one)
);

create table status_stats (
  status_id bigint not null,
  replies_count integer not null default 0,
  reblogs_count integer not null default 0,
  favourites_count integer not null default 0,
  quotes_count integer not null default 0,
  favourites_elsewhere integer not null default 0,
  reblogs_elsewhere integer not null default 0,
  constraint status_stats_pkey PRIMARY KEY (status_id),
  constraint status_stats_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
) with (fillfactor=70);

create table status_tags (
  tag_id bigint not null,
  status_id bigint not null,
  account_id bigint,
  language text,
  counted boolean not null default false,
  listed boolean not null default false,
  constraint status_tags_pkey PRIMARY KEY (tag_id, status_id),
  constraint status_tags_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint status_tags_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE,
  constraint status_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);

create table status_trends (
  status_id bigint not null,
  score double precision not null,
  constraint status_trends_pkey PRIMARY KEY (status_id),
  constraint status_trends_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);

create table statuses (
  id bigint not null default snowflake(),
  account_id bigint not null,
  local boolean not null default true,
  uri text,
  url text,
  text text not null default ''::text,
  content text not null default ''::text,
  spoiler_text text not null default ''::text,
  visibility visibility not null,
  sensitive boolean not null default false,
  language text,
  in_reply_to_id bigint,
  in_reply_to_account_id bigint,
  reblog_of_id bigint,
  conversation_id bigint,
  application_id bigint,
  media_attachment_ids bigint[] not null default '{}'::bigint[],
  content_kinds text[] not null default '{}'::text[],
  attached_text text not null default ''::text,
  quote_approval_policy text not null default 'public'::text,
  trendable boolean,
  edited_at timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  parent_unknown boolean not null default false,
  constraint statuses_pkey PRIMARY KEY (id),
  constraint statuses_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint statuses_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(id) ON DELETE SET NULL,
  constraint statuses_in_reply_to_account_id_fkey FOREIGN KEY (in_reply_to_account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint statuses_in_reply_to_id_fkey FOREIGN KEY (in_reply_to_id) REFERENCES statuses(id) ON DELETE SET NULL,
  constraint statuses_reblog_of_id_fkey FOREIGN KEY (reblog_of_id) REFERENCES statuses(id) ON DELETE CASCADE,
  constraint statuses_quote_approval_policy_check CHECK ((quote_approval_policy ~ '^(public|nobody|(unsupported|followers|following|manual)(_(unsupported|followers|following|manual))*)$'::text)) NOT VALID
);

create table suggestion_dismissals (
  account_id bigint not null,
  target_account_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint suggestion_dismissals_pkey PRIMARY KEY (account_id, target_account_id),
  constraint suggestion_dismissals_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint suggestion_dismissals_target_account_id_fkey FOREIGN KEY (target_account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table tag_account_days (
  tag_id bigint not null,
  account_id bigint not null,
  day date not null,
  uses bigint not null,
  constraint tag_account_days_pkey PRIMARY KEY (tag_id, account_id, day)
) with (fillfactor=80);

create table tag_days (
  tag_id bigint not null,
  day date not null,
  uses integer not null,
  accounts integer not null,
  language text,
  constraint tag_days_pkey PRIMARY KEY (tag_id, day),
  constraint tag_days_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);

create table tag_follows (
  id bigint not null generated always as identity,
  account_id bigint not null,
  tag_id bigint not null,
  created_at timestamp with time zone not null default now(),
  constraint tag_follows_pkey PRIMARY KEY (id),
  constraint tag_follows_account_id_tag_id_key UNIQUE (account_id, tag_id),
  constraint tag_follows_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint tag_follows_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);

create table tag_server_days (
  tag_id bigint not null,
  day date not null,
  domain text not null,
  language text not null,
  slot integer not null,
  uses bigint not null,
  constraint tag_server_days_pkey PRIMARY KEY (tag_id, day, domain, language, slot)
) with (fillfactor=80);

create table tag_trends (
  tag_id bigint not null,
  peak double precision not null,
  peaked_at timestamp with time zone not null,
  score double precision not null,
  language text,
  constraint tag_trends_pkey PRIMARY KEY (tag_id),
  constraint tag_trends_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE
);

create table tag_use_days (
  tag_id bigint not null,
  day date not null,
  distance smallint not null,
  slot integer not null,
  uses bigint not null,
  accounts bigint not null,
  constraint tag_use_days_pkey PRIMARY KEY (tag_id, day, distance, slot)
) with (fillfactor=80);

create table tags (
  id bigint not null generated always as identity,
  name text not null,
  display_name text not null,
  usable boolean not null default true,
  trendable boolean,
  reviewed_at timestamp with time zone,
  requested_review_at timestamp with time zone,
  listable boolean not null default true,
  last_status_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint tags_pkey PRIMARY KEY (id),
  constraint tags_name_key UNIQUE (name)
);

create table terms_of_service (
  id bigint not null generated always as identity,
  text text not null,
  changelog text not null default ''::text,
  effective_date date,
  published_at timestamp with time zone,
  notified_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint terms_of_service_pkey PRIMARY KEY (id),
  constraint terms_of_service_effective_date_key UNIQUE (effective_date)
);

create table tombstones (
  uri text not null,
  created_at timestamp with time zone not null default now(),
  kept boolean not null default false,
  constraint tombstones_pkey PRIMARY KEY (uri)
);

create table translations (
  digest bytea not null,
  texts text[] not null,
  source text,
  created_at timestamp with time zone not null default now(),
  constraint translations_pkey PRIMARY KEY (digest)
);

create table trend_counts (
  what text not null,
  counted_at timestamp with time zone not null,
  constraint trend_counts_pkey PRIMARY KEY (what),
  constraint trend_counts_what_check CHECK ((what = ANY (ARRAY['tags'::text, 'links'::text])))
);

create table username_blocks (
  id bigint not null generated always as identity,
  username text not null,
  skeleton text not null generated always as (username_skeleton(username)) stored,
  exact boolean not null,
  allow_with_approval boolean not null default false,
  created_at timestamp with time zone not null default now(),
  constraint username_blocks_pkey PRIMARY KEY (id),
  constraint username_blocks_skeleton_key UNIQUE (skeleton)
);

create table users (
  id bigint not null generated always as identity,
  account_id bigint not null,
  email text not null,
  unconfirmed_email text,
  password_hash text not null,
  confirmed_at timestamp with time zone,
  confirmation_token_hash bytea,
  confirmation_sent_at timestamp with time zone,
  reset_password_token_hash bytea,
  reset_password_sent_at timestamp with time zone,
  approved boolean not null default true,
  disabled boolean not null default false,
  role_id bigint,
  locale text,
  time_zone text,
  chosen_languages text[],
  preferences jsonb not null default '{}'::jsonb,
  created_by_application_id bigint,
  invite_id bigint,
  sign_up_reason text,
  sign_up_ip inet,
  age_verified_at timestamp with time zone,
  otp_secret text,
  otp_enabled_at timestamp with time zone,
  otp_last_step bigint,
  otp_backup_code_hashes text[] not null default '{}'::text[],
  otp_pending_secret text,
  otp_pending_at timestamp with time zone,
  current_sign_in_at timestamp with time zone,
  last_active_at timestamp with time zone,
  welcomed_at timestamp with time zone,
  mail_types text[] not null default '{mention,quote,follow,follow_request}'::text[],
  mail_always boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  email_subscriptions boolean not null default false,
  terms_seen_at timestamp with time zone not null default now(),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_account_id_key UNIQUE (account_id),
  constraint users_confirmation_token_hash_key UNIQUE (confirmation_token_hash),
  constraint users_reset_password_token_hash_key UNIQUE (reset_password_token_hash),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint users_created_by_application_id_fkey FOREIGN KEY (created_by_application_id) REFERENCES applications(id) ON DELETE SET NULL,
  constraint users_invite_id_fkey FOREIGN KEY (invite_id) REFERENCES invites(id) ON DELETE SET NULL,
  constraint users_role_id_fkey FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE SET NULL,
  constraint users_mail_types_check CHECK ((mail_types <@ ARRAY['mention'::text, 'quote'::text, 'follow'::text, 'follow_request'::text, 'favourite'::text, 'reblog'::text]))
);

create table waiting_emails (
  notification_id bigint not null,
  due_at timestamp with time zone not null,
  always boolean not null,
  constraint waiting_emails_pkey PRIMARY KEY (notification_id)
);

create table warning_presets (
  id bigint not null generated always as identity,
  title text not null default ''::text,
  text text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint warning_presets_pkey PRIMARY KEY (id)
);

create table webhooks (
  id bigint not null generated always as identity,
  url text not null,
  events text[] not null,
  secret text not null,
  enabled boolean not null default true,
  created_by bigint,
  failures integer not null default 0,
  last_error text,
  last_failed_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_url_key UNIQUE (url),
  constraint webhooks_created_by_fkey FOREIGN KEY (created_by) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint webhooks_events_check CHECK ((events <> '{}'::text[])),
  constraint webhooks_url_check CHECK ((octet_length(url) <= 2048))
);

CREATE INDEX account_aliases_of ON public.account_aliases USING btree (alias_account_id);

CREATE INDEX account_conversations_by_conversation ON public.account_conversations USING btree (conversation_id);

CREATE INDEX account_conversations_by_status ON public.account_conversations USING btree (last_status_id);

CREATE INDEX account_conversations_recent ON public.account_conversations USING btree (account_id, last_status_id DESC);

CREATE INDEX account_migrations_by_account ON public.account_migrations USING btree (account_id, created_at DESC);

CREATE INDEX account_migrations_by_target ON public.account_migrations USING btree (target_account_id);

CREATE INDEX account_notes_by_target ON public.account_notes USING btree (target_account_id);

CREATE INDEX account_stats_active ON public.account_stats USING btree (last_status_at DESC NULLS LAST, account_id DESC);

CREATE INDEX account_warnings_by_account ON public.account_warnings USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX account_warnings_by_report ON public.account_warnings USING btree (report_id) WHERE (report_id IS NOT NULL);

CREATE INDEX account_warnings_by_target ON public.account_warnings USING btree (target_account_id, id DESC);

CREATE INDEX accounts_all_suspended ON public.accounts USING btree (id DESC) WHERE (suspended_at IS NOT NULL);

CREATE INDEX accounts_by_domain ON public.accounts USING btree (reverse(domain) text_pattern_ops) WHERE (domain IS NOT NULL);

CREATE INDEX accounts_by_domain_with_port ON public.accounts USING btree (reverse(regexp_replace(domain, '\.*(:[0-9]*)?$'::text, ''::text)) text_pattern_ops) WHERE (domain ~ '[.:][0-9]*$'::text);

CREATE INDEX accounts_discoverable ON public.accounts USING btree (id DESC) WHERE (discoverable AND (suspended_at IS NULL) AND (silenced_at IS NULL) AND (moved_to_account_id IS NULL));

CREATE INDEX accounts_display_name_prefix ON public.accounts USING btree (lower(display_name) text_pattern_ops);

CREATE INDEX accounts_display_name_words ON public.accounts USING gin (array_to_tsvector(array_remove(string_to_array(translate(lower("left"(display_name, 200)), '　・'::text, '  '::text), ' '::text), ''::text)));

CREATE INDEX accounts_domain_prefix ON public.accounts USING btree (domain text_pattern_ops) WHERE (domain IS NOT NULL);

CREATE UNIQUE INDEX accounts_handle ON public.accounts USING btree (lower(username), lower(COALESCE(domain, ''::text)));

CREATE INDEX accounts_local_recent ON public.accounts USING btree (id DESC) WHERE (domain IS NULL);

CREATE INDEX accounts_moved_to ON public.accounts USING btree (moved_to_account_id) WHERE (moved_to_account_id IS NOT NULL);

CREATE INDEX accounts_names ON public.accounts USING gin ((((lower(username) || ' '::text) || lower(display_name))) gin_trgm_ops);

CREATE INDEX accounts_of_domain ON public.accounts USING btree (domain, id DESC) WHERE (domain IS NOT NULL);

CREATE INDEX accounts_remote_recent ON public.accounts USING btree (id DESC) WHERE (domain IS NOT NULL);

CREATE INDEX accounts_sensitized ON public.accounts USING btree (id DESC) WHERE (sensitized_at IS NOT NULL);

CREATE INDEX accounts_silenced ON public.accounts USING btree (id DESC) WHERE (silenced_at IS NOT NULL);

CREATE INDEX accounts_suspended ON public.accounts USING btree (suspended_at) WHERE ((suspended_at IS NOT NULL) AND (deletion_requested_at IS NULL) AND (suspension_origin = 'local'::text));

CREATE INDEX accounts_to_review ON public.accounts USING btree (requested_review_at) WHERE ((requested_review_at IS NOT NULL) AND (reviewed_at IS NULL));

CREATE UNIQUE INDEX accounts_uri ON public.accounts USING btree (uri) WHERE (uri <> ''::text);

CREATE INDEX accounts_username_prefix ON public.accounts USING btree (lower(username) text_pattern_ops, domain text_pattern_ops);

CREATE INDEX accounts_with_inbox ON public.accounts USING btree (id) WHERE (inbox_url <> ''::text);

CREATE INDEX active_days_user ON public.active_days USING btree (user_id, day);

CREATE INDEX admin_action_logs_by_account ON public.admin_action_logs USING btree (account_id, id DESC) WHERE (account_id IS NOT NULL);

CREATE INDEX admin_action_logs_by_target ON public.admin_action_logs USING btree (target_type, target_id, id DESC);

CREATE INDEX announcement_reactions_by_announcement ON public.announcement_reactions USING btree (announcement_id);

CREATE INDEX announcement_reactions_by_emoji ON public.announcement_reactions USING btree (custom_emoji_id);

CREATE INDEX announcement_reads_by_announcement ON public.announcement_reads USING btree (announcement_id);

CREATE INDEX appeals_approved_by ON public.appeals USING btree (approved_by_account_id) WHERE (approved_by_account_id IS NOT NULL);

CREATE INDEX appeals_by_account ON public.appeals USING btree (account_id);

CREATE INDEX appeals_pending ON public.appeals USING btree (id DESC) WHERE ((approved_at IS NULL) AND (rejected_at IS NULL));

CREATE INDEX appeals_rejected_by ON public.appeals USING btree (rejected_by_account_id) WHERE (rejected_by_account_id IS NOT NULL);

CREATE INDEX applications_by_owner ON public.applications USING btree (owner_id) WHERE (owner_id IS NOT NULL);

CREATE INDEX author_tombstones_by_age ON public.author_tombstones USING btree (created_at);

CREATE INDEX automated_deletion_due ON public.automated_deletion_policies USING btree (next_run_at) WHERE enabled;

CREATE INDEX backups_ready_at ON public.backups USING btree (ready_at) WHERE (file_key IS NOT NULL);

CREATE INDEX backups_user ON public.backups USING btree (user_id, id DESC);

CREATE INDEX blocks_by_account ON public.blocks USING btree (account_id, id DESC);

CREATE INDEX blocks_by_target ON public.blocks USING btree (target_account_id, account_id);

CREATE INDEX bookmarks_by_account ON public.bookmarks USING btree (account_id, id DESC);

CREATE INDEX bookmarks_by_status ON public.bookmarks USING btree (status_id);

CREATE INDEX canonical_email_blocks_account ON public.canonical_email_blocks USING btree (reference_account_id) WHERE (reference_account_id IS NOT NULL);

CREATE INDEX collection_items_by_account ON public.collection_items USING btree (account_id, collection_id DESC);

CREATE INDEX collections_by_account ON public.collections USING btree (account_id, id DESC);

CREATE INDEX collections_by_tag ON public.collections USING btree (tag_id) WHERE (tag_id IS NOT NULL);

CREATE INDEX conversation_mutes_by_conversation ON public.conversation_mutes USING btree (conversation_id);

CREATE UNIQUE INDEX conversations_uri ON public.conversations USING btree (uri) WHERE (uri IS NOT NULL);

CREATE UNIQUE INDEX custom_emojis_featured ON public.custom_emojis USING btree (COALESCE(domain, ''::text), category) WHERE featured;

CREATE INDEX custom_emojis_replaced ON public.custom_emojis USING btree (replaced_at) WHERE (replaced_at IS NOT NULL);

CREATE UNIQUE INDEX custom_emojis_shortcode ON public.custom_emojis USING btree (shortcode, COALESCE(domain, ''::text));

CREATE INDEX day_counters_by_domain ON public.day_counters USING btree (reverse(domain) text_pattern_ops, counter, day) WHERE (domain <> ''::text);

CREATE INDEX day_counters_unfolded ON public.day_counters USING btree (day) WHERE (slot <> 0);

CREATE INDEX email_deliveries_by_time ON public.email_deliveries USING btree (created_at);

CREATE INDEX email_domain_block_attempts_day ON public.email_domain_block_attempts USING btree (day);

CREATE INDEX email_domain_blocks_parent ON public.email_domain_blocks USING btree (parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX email_subscriptions_confirmed ON public.email_subscriptions USING btree (account_id, id) WHERE (confirmed_at IS NOT NULL);

CREATE INDEX email_subscriptions_requested_ip ON public.email_subscriptions USING btree (requested_at) WHERE (requested_ip IS NOT NULL);

CREATE INDEX email_subscriptions_waiting ON public.email_subscriptions USING btree (requested_at) WHERE (confirmed_at IS NULL);

CREATE INDEX endorsements_by_target ON public.endorsements USING btree (target_account_id);

CREATE INDEX events_cursor ON ONLY public.events USING btree (txid, id);

CREATE INDEX favourites_by_account ON public.favourites USING btree (account_id, id DESC);

CREATE INDEX favourites_by_status ON public.favourites USING btree (status_id, id DESC);

CREATE UNIQUE INDEX favourites_uri ON public.favourites USING btree (uri) WHERE (uri IS NOT NULL);

CREATE INDEX featured_tags_by_tag ON public.featured_tags USING btree (tag_id);

CREATE INDEX filter_keywords_by_filter ON public.filter_keywords USING btree (filter_id, id);

CREATE INDEX filter_statuses_by_status ON public.filter_statuses USING btree (status_id);

CREATE INDEX filters_by_account ON public.filters USING btree (account_id, id);

CREATE INDEX follow_requests_by_target ON public.follow_requests USING btree (target_account_id, id DESC);

CREATE INDEX follows_by_account ON public.follows USING btree (account_id, id DESC);

CREATE INDEX follows_by_target ON public.follows USING btree (target_account_id, id DESC);

CREATE INDEX follows_notify ON public.follows USING btree (target_account_id) WHERE notify;

CREATE INDEX follows_with_options ON public.follows USING btree (account_id) WHERE ((NOT show_reblogs) OR notify OR (languages IS NOT NULL));

CREATE INDEX idempotency_keys_by_scheduled_status ON public.idempotency_keys USING btree (scheduled_status_id) WHERE (scheduled_status_id IS NOT NULL);

CREATE INDEX idempotency_keys_by_status ON public.idempotency_keys USING btree (status_id);

CREATE INDEX idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);

CREATE INDEX import_rows_targets ON public.import_rows USING btree (import_id, target_id) WHERE (target_id IS NOT NULL);

CREATE INDEX import_rows_waiting ON public.import_rows USING btree (import_id, "position") WHERE (state = 'waiting'::text);

CREATE INDEX imports_by_account ON public.imports USING btree (account_id, id DESC);

CREATE INDEX imports_finished ON public.imports USING btree (finished_at) WHERE (finished_at IS NOT NULL);

CREATE INDEX invites_user_id ON public.invites USING btree (user_id);

CREATE INDEX link_days_by_day ON public.link_days USING btree (day, accounts);

CREATE INDEX link_publishers_to_review ON public.link_publishers USING btree (requested_review_at) WHERE ((requested_review_at IS NOT NULL) AND (reviewed_at IS NULL));

CREATE INDEX list_accounts_by_account ON public.list_accounts USING btree (account_id);

CREATE INDEX list_accounts_by_follow ON public.list_accounts USING btree (follow_id);

CREATE INDEX list_accounts_by_follow_request ON public.list_accounts USING btree (follow_request_id);

CREATE INDEX lists_by_account ON public.lists USING btree (account_id, id);

CREATE INDEX login_activities_created_at ON public.login_activities USING btree (created_at);

CREATE INDEX login_activities_ip ON public.login_activities USING spgist (ip);

CREATE INDEX login_activities_user ON public.login_activities USING btree (user_id, id DESC);

CREATE INDEX media_attachments_by_account ON public.media_attachments USING btree (account_id);

CREATE INDEX media_attachments_by_status ON public.media_attachments USING btree (status_id) WHERE (status_id IS NOT NULL);

CREATE INDEX media_attachments_copied ON public.media_attachments USING btree (id) WHERE ((file_key IS NOT NULL) AND (remote_url IS NOT NULL));

CREATE INDEX media_attachments_scheduled ON public.media_attachments USING btree (scheduled_status_id) WHERE (scheduled_status_id IS NOT NULL);

CREATE INDEX media_attachments_unattached ON public.media_attachments USING btree (created_at) WHERE (status_id IS NULL);

CREATE INDEX mentions_by_account ON public.mentions USING btree (account_id, status_id DESC);

CREATE INDEX moderation_notes_by_author ON public.moderation_notes USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX moderation_notes_by_report ON public.moderation_notes USING btree (report_id, id) WHERE (report_id IS NOT NULL);

CREATE INDEX moderation_notes_by_target ON public.moderation_notes USING btree (target_account_id, id) WHERE (target_account_id IS NOT NULL);

CREATE INDEX mutes_by_account ON public.mutes USING btree (account_id, id DESC);

CREATE INDEX mutes_by_target ON public.mutes USING btree (target_account_id);

CREATE INDEX mutes_expiry ON public.mutes USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX notification_groups_list ON public.notification_groups USING btree (account_id, type, newest_id DESC, oldest_id);

CREATE INDEX notification_groups_oldest ON public.notification_groups USING btree (account_id, type, oldest_id);

CREATE INDEX notification_merges_by_sender ON public.notification_merges USING btree (from_account_id);

CREATE INDEX notification_permissions_by_sender ON public.notification_permissions USING btree (from_account_id);

CREATE INDEX notification_requests_by_sender ON public.notification_requests USING btree (from_account_id);

CREATE INDEX notification_requests_by_status ON public.notification_requests USING btree (last_status_id);

CREATE INDEX notification_requests_list ON public.notification_requests USING btree (account_id, id DESC);

CREATE INDEX notifications_alone ON public.notifications USING btree (account_id, type, id DESC) WHERE (group_key ~~ 'ungrouped-%'::text);

CREATE INDEX notifications_by_sender ON public.notifications USING btree (from_account_id, account_id, id DESC);

CREATE INDEX notifications_by_status ON public.notifications USING btree (status_id) WHERE (status_id IS NOT NULL);

CREATE INDEX notifications_by_type ON public.notifications USING btree (account_id, type, id DESC);

CREATE INDEX notifications_group ON public.notifications USING btree (account_id, group_key, id DESC) WHERE (NOT filtered);

CREATE INDEX notifications_list ON public.notifications USING btree (account_id, id DESC);

CREATE UNIQUE INDEX notifications_once ON public.notifications USING btree (account_id, type, from_account_id, activity_id);

CREATE INDEX oauth_grants_application ON public.oauth_grants USING btree (application_id);

CREATE INDEX oauth_grants_token ON public.oauth_grants USING btree (token_id) WHERE (token_id IS NOT NULL);

CREATE INDEX oauth_grants_user ON public.oauth_grants USING btree (user_id, application_id);

CREATE INDEX oauth_tokens_application ON public.oauth_tokens USING btree (application_id);

CREATE INDEX oauth_tokens_last_used_ip ON public.oauth_tokens USING spgist (last_used_ip) WHERE (last_used_ip IS NOT NULL);

CREATE INDEX oauth_tokens_user ON public.oauth_tokens USING btree (user_id, application_id);

CREATE INDEX outgoing_activities_age ON public.outgoing_activities USING btree (created_at);

CREATE INDEX poll_votes_by_account ON public.poll_votes USING btree (account_id);

CREATE INDEX popular_accounts_by_account ON public.popular_accounts USING btree (account_id);

CREATE INDEX preview_cards_by_creator ON public.preview_cards USING btree (creator_account_id) WHERE (creator_account_id IS NOT NULL);

CREATE INDEX preview_cards_with_image ON public.preview_cards USING btree (id) WHERE (image_key IS NOT NULL);

CREATE INDEX preview_cards_statuses_by_card ON public.preview_cards_statuses USING btree (preview_card_id, status_id DESC);

CREATE INDEX push_subscriptions_by_user ON public.push_subscriptions USING btree (user_id);

CREATE INDEX quotes_by_account ON public.quotes USING btree (account_id);

CREATE INDEX quotes_by_quoted_account ON public.quotes USING btree (quoted_account_id);

CREATE INDEX quotes_by_quoted_status ON public.quotes USING btree (quoted_status_id) WHERE (quoted_status_id IS NOT NULL);

CREATE INDEX quotes_of_status ON public.quotes USING btree (quoted_status_id, id DESC) WHERE (state = 'accepted'::text);

CREATE INDEX rate_counters_expires_at ON public.rate_counters USING btree (expires_at);

CREATE INDEX received_activities_lane ON public.received_activities USING btree (lane, id);

CREATE INDEX remote_keys_age ON public.remote_keys USING btree (fetched_at);

CREATE INDEX remote_keys_owner_idx ON public.remote_keys USING btree (owner);

CREATE INDEX replaced_keys_replaced_at_idx ON public.replaced_keys USING btree (replaced_at);

CREATE INDEX reports_application ON public.reports USING btree (application_id) WHERE (application_id IS NOT NULL);

CREATE INDEX reports_assigned ON public.reports USING btree (assigned_account_id, id DESC) WHERE (assigned_account_id IS NOT NULL);

CREATE INDEX reports_by_account ON public.reports USING btree (account_id, id DESC);

CREATE INDEX reports_by_domain ON public.reports USING btree (target_domain, id DESC) WHERE (target_domain IS NOT NULL);

CREATE INDEX reports_by_pair ON public.reports USING btree (account_id, target_account_id, id DESC);

CREATE INDEX reports_by_target ON public.reports USING btree (target_account_id, id DESC);

CREATE INDEX reports_open ON public.reports USING btree (id DESC) WHERE (action_taken_at IS NULL);

CREATE INDEX reports_resolved ON public.reports USING btree (id DESC) WHERE (action_taken_at IS NOT NULL);

CREATE INDEX reports_resolved_by ON public.reports USING btree (action_taken_by_account_id) WHERE (action_taken_by_account_id IS NOT NULL);

CREATE INDEX scheduled_statuses_by_account ON public.scheduled_statuses USING btree (account_id, id DESC);

CREATE INDEX scheduled_statuses_by_application ON public.scheduled_statuses USING btree (application_id) WHERE (application_id IS NOT NULL);

CREATE INDEX sessions_ip ON public.sessions USING spgist (ip) WHERE (ip IS NOT NULL);

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);

CREATE INDEX severances_by_account ON public.severances USING btree (account_id);

CREATE INDEX severances_by_domain ON public.severances USING btree (target_name, created_at) WHERE (type = 'domain_block'::text);

CREATE INDEX staff_tasks_moderator ON public.staff_tasks USING btree (moderator_id) WHERE (moderator_id IS NOT NULL);

CREATE INDEX staff_tasks_target ON public.staff_tasks USING btree (target_account_id) WHERE (target_account_id IS NOT NULL);

CREATE UNIQUE INDEX staff_tasks_unfinished ON public.staff_tasks USING btree (kind, COALESCE(target_account_id, (0)::bigint), COALESCE(domain, ''::text), COALESCE(days, 0)) WHERE (finished_at IS NULL);

CREATE INDEX status_collections_by_collection ON public.status_collections USING btree (collection_id);

CREATE INDEX status_edits_by_account ON public.status_edits USING btree (account_id);

CREATE INDEX status_edits_by_status ON public.status_edits USING btree (status_id, id);

CREATE INDEX status_pins_by_status ON public.status_pins USING btree (status_id);

CREATE INDEX status_tags_by_account ON public.status_tags USING btree (account_id, tag_id, status_id DESC);

CREATE INDEX status_tags_by_status ON public.status_tags USING btree (status_id);

CREATE INDEX statuses_application ON public.statuses USING btree (application_id) WHERE (application_id IS NOT NULL);

CREATE INDEX statuses_by_account_unanswering ON public.statuses USING btree (account_id, id DESC) WHERE ((deleted_at IS NULL) AND ((in_reply_to_account_id IS NULL) OR (in_reply_to_account_id = account_id)));

CREATE INDEX statuses_by_account_with_media ON public.statuses USING btree (account_id, id DESC) WHERE ((deleted_at IS NULL) AND (media_attachment_ids <> '{}'::bigint[]));

CREATE INDEX statuses_deleted ON public.statuses USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX statuses_direct ON public.statuses USING btree (account_id, id DESC) WHERE ((deleted_at IS NULL) AND (visibility = 'direct'::visibility));

CREATE INDEX statuses_in_reply_to_account ON public.statuses USING btree (in_reply_to_account_id) WHERE (in_reply_to_account_id IS NOT NULL);

CREATE INDEX statuses_of_account ON public.statuses USING btree (account_id, id DESC) INCLUDE (deleted_at);

CREATE INDEX statuses_public_by_language ON public.statuses USING btree (local, language, ((media_attachment_ids <> '{}'::bigint[])), id DESC) WHERE ((deleted_at IS NULL) AND (visibility = 'public'::visibility) AND (reblog_of_id IS NULL) AND ((in_reply_to_id IS NULL) OR (in_reply_to_account_id = account_id)));

CREATE INDEX statuses_public_local ON public.statuses USING btree (id DESC) WHERE ((deleted_at IS NULL) AND (visibility = 'public'::visibility) AND (reblog_of_id IS NULL) AND local AND ((in_reply_to_id IS NULL) OR (in_reply_to_account_id = account_id)));

CREATE INDEX statuses_public_media_by_origin ON public.statuses USING btree (local, id DESC) WHERE ((deleted_at IS NULL) AND (visibility = 'public'::visibility) AND (reblog_of_id IS NULL) AND (media_attachment_ids <> '{}'::bigint[]) AND ((in_reply_to_id IS NULL) OR (in_reply_to_account_id = account_id)));

CREATE INDEX statuses_public_remote ON public.statuses USING btree (id DESC) WHERE ((deleted_at IS NULL) AND (visibility = 'public'::visibility) AND (reblog_of_id IS NULL) AND (NOT local) AND ((in_reply_to_id IS NULL) OR (in_reply_to_account_id = account_id)));

CREATE UNIQUE INDEX statuses_reblog_once ON public.statuses USING btree (account_id, reblog_of_id) WHERE ((reblog_of_id IS NOT NULL) AND (deleted_at IS NULL));

CREATE INDEX statuses_reblogs ON public.statuses USING btree (reblog_of_id, id DESC) WHERE (reblog_of_id IS NOT NULL);

CREATE INDEX statuses_replies ON public.statuses USING btree (in_reply_to_id, id) WHERE (in_reply_to_id IS NOT NULL);

CREATE INDEX statuses_search ON public.statuses USING gin (status_search_vector(id, account_id, text, content, spoiler_text, language, sensitive, in_reply_to_id, media_attachment_ids, visibility, content_kinds, attached_text)) WITH (gin_pending_list_limit='128') WHERE ((deleted_at IS NULL) AND (reblog_of_id IS NULL));

CREATE UNIQUE INDEX statuses_uri ON public.statuses USING btree (uri) WHERE (uri IS NOT NULL);

CREATE INDEX suggestion_dismissals_by_target ON public.suggestion_dismissals USING btree (target_account_id);

CREATE INDEX tag_account_days_by_day ON public.tag_account_days USING btree (day);

CREATE INDEX tag_days_by_day ON public.tag_days USING btree (day, accounts);

CREATE INDEX tag_follows_by_tag ON public.tag_follows USING btree (tag_id);

CREATE INDEX tag_server_days_unfolded ON public.tag_server_days USING btree (day) WHERE (slot <> 0);

CREATE INDEX tag_use_days_unfolded ON public.tag_use_days USING btree (day) WHERE (slot <> 0);

CREATE INDEX tags_by_length ON public.tags USING btree (length(name), name text_pattern_ops) WHERE listable;

CREATE INDEX tags_prefix ON public.tags USING btree (name text_pattern_ops);

CREATE INDEX tags_to_review ON public.tags USING btree (requested_review_at) WHERE ((requested_review_at IS NOT NULL) AND (reviewed_at IS NULL));

CREATE INDEX tombstones_expiring ON public.tombstones USING btree (created_at) WHERE (NOT kept);

CREATE INDEX translations_by_age ON public.translations USING btree (created_at);

CREATE INDEX users_by_role ON public.users USING btree (role_id) WHERE (role_id IS NOT NULL);

CREATE INDEX users_canonical_email ON public.users USING btree (canonical_email(email));

CREATE INDEX users_created_by_application ON public.users USING btree (created_by_application_id) WHERE (created_by_application_id IS NOT NULL);

CREATE INDEX users_disabled ON public.users USING btree (account_id DESC) WHERE disabled;

CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));

CREATE INDEX users_email_prefix ON public.users USING btree (lower(email) text_pattern_ops);

CREATE INDEX users_invite ON public.users USING btree (invite_id) WHERE (invite_id IS NOT NULL);

CREATE INDEX users_sign_up_ip ON public.users USING spgist (sign_up_ip) WHERE (sign_up_ip IS NOT NULL);

CREATE INDEX users_unapproved ON public.users USING btree (account_id DESC) WHERE (NOT approved);

CREATE INDEX users_unconfirmed ON public.users USING btree (confirmation_sent_at) WHERE (confirmed_at IS NULL);

CREATE INDEX users_unconfirmed_email ON public.users USING btree (lower(unconfirmed_email)) WHERE (unconfirmed_email IS NOT NULL);

CREATE INDEX waiting_emails_due ON public.waiting_emails USING btree (due_at);

CREATE INDEX webhooks_by_creator ON public.webhooks USING btree (created_by) WHERE (created_by IS NOT NULL);

CREATE OR REPLACE FUNCTION public.accept_activities(hosts text[], actors text[], bodies text[], recipients text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into received_activities (lane, host, actor, body, recipient_id)
  select hashtext(given.host) & 15, given.host, given.actor, given.body,
    nullif(given.recipient, '')::bigint
  from unnest(hosts, actors, bodies, recipients) given (host, actor, body, recipient);
  delete from delivery_hosts h where h.host = any (hosts);
  perform pg_advisory_xact_lock_shared(hashtext('received_activities'));
  perform enqueue_lane(needed.lane)
  from (
    select distinct hashtext(given.host) & 15 as lane from unnest(hosts) given (host)
  ) needed
  where not exists (
    select from graphile_worker.jobs j
    where j.key = 'federation.receive_lane:' || needed.lane and j.locked_at is null and j.run_at <= now() and j.attempts < j.max_attempts
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.account_permissions(account bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((
    select coalesce(r.permissions, 0) | base.permissions
    from users u
    join roles base on base.id = -99
    left join roles r on r.id = u.role_id
    where u.account_id = account
  ), 0)
$function$;

CREATE OR REPLACE FUNCTION public.accounts_like(name text)
 RETURNS SETOF bigint
 LANGUAGE sql
 STABLE ROWS 50
 SET "pg_trgm.word_similarity_threshold" TO '0.45'
AS $function$
  select a.id
  from accounts a
  where lower(a.username) || ' ' || lower(a.display_name) %> (select name)
  order by word_similarity(name, lower(a.username) || ' ' || lower(a.display_name)) desc, a.id
  limit 50
$function$;

CREATE OR REPLACE FUNCTION public.add_report_counts(added reports[], removed reports[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select moved.counter, moved.day, moved.domain, '', pg_backend_pid(), sum(moved.amount)
  from (
    select one.counter, one.day, one.domain, 1 as amount from unnest(added) r cross join lateral report_counters(r) one
    union all
    select one.counter, one.day, one.domain, -1 from unnest(removed) r cross join lateral report_counters(r) one
  ) moved
  group by moved.counter, moved.day, moved.domain
  having sum(moved.amount) <> 0
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount
$function$;

CREATE OR REPLACE FUNCTION public.allows_featuring(owner bigint, target accounts)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select feature_approval(owner, target) in ('automatic', 'manual')
    and target.suspended_at is null
    and not exists (
      select
      from blocks b
      where (b.account_id = owner and b.target_account_id = target.id)
        or (b.account_id = target.id and b.target_account_id = owner)
    )
$function$;

CREATE OR REPLACE FUNCTION public.answers_private_mention(recipient bigint, originator bigint, status bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  with recursive thread (id, depth) as (
    select s.in_reply_to_id, 1 from statuses s where s.id = status and s.in_reply_to_id is not null
    union all
    select s.in_reply_to_id, thread.depth + 1
    from thread
    join statuses s on s.id = thread.id
    where s.in_reply_to_id is not null and thread.depth < 100
  )
  select exists (
    select
    from thread
    join statuses s on s.id = thread.id
    join mentions m on m.status_id = s.id and m.account_id = originator
    where s.account_id = recipient and s.visibility = 'direct' and s.deleted_at is null
  )
$function$;

CREATE OR REPLACE FUNCTION public.apply_domain_rule()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  rule domain_blocks;
begin
  select r.* into rule from domain_rule(new.domain) r;
  if rule.severity = 'silence' then
    new.silenced_at := coalesce(new.silenced_at, rule.created_at);
  elsif rule.severity = 'suspend' then
    new.suspended_at := coalesce(new.suspended_at, rule.created_at);
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.attached_text_of(status bigint, attachments bigint[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return concat_ws(
    E'\n\n',
    (
      select string_agg(m.description, E'\n\n' order by array_position(attachments, m.id))
      from media_attachments m
      where m.id = any (attachments) and m.description <> ''
    ),
    (select array_to_string(p.options, E'\n\n') from polls p where p.status_id = status)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.attachments_of(ids bigint[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_agg(
    jsonb_build_object(
      'id', m.id::text, 'type', m.type, 'processing', m.processing, 'file_key', m.file_key, 'preview_key', m.preview_key,
      'remote_url', m.remote_url, 'preview_remote_url', m.preview_remote_url, 'meta', m.meta, 'description', m.description,
      'blurhash', m.blurhash
    )
    order by array_position(ids, m.id)
  )
  from media_attachments m
  where m.id = any ((select ids)::bigint[])
$function$;

CREATE OR REPLACE FUNCTION public.blocks_either_way_or_mutes(viewer bigint, other bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from blocks b where b.account_id = viewer and b.target_account_id = other)
    or exists (select from blocks b where b.account_id = other and b.target_account_id = viewer)
    or exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = other and (m.expires_at is null or m.expires_at > now())
    )
$function$;

CREATE OR REPLACE FUNCTION public.blocks_notification(recipient bigint, originator bigint, type text, status bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  -- Those whose block or mute counts: also whom a mention answers, and whom it mentions too.
  parties bigint[] := array[originator];
  conversation bigint;
  answered bigint;
begin
  if status is not null then
    select s.conversation_id, s.in_reply_to_account_id into conversation, answered from statuses s where s.id = status;
    if type = 'mention' then
      parties := parties || answered || array(select m.account_id from mentions m where m.status_id = status and not m.silent);
    end if;
  end if;
  return exists (select from blocks b where b.account_id = recipient and b.target_account_id = any (parties))
    or exists (
      select from mutes m
      where m.account_id = recipient and m.target_account_id = any (parties) and m.hide_notifications
        and (m.expires_at is null or m.expires_at > clock_timestamp())
    )
    or exists (select from conversation_mutes c where c.conversation_id = conversation and c.account_id = recipient)
    or exists (
      select
      from account_domain_blocks d
      join accounts a on a.domain = d.domain
      where d.account_id = recipient and a.id = originator
        and not exists (select from follows f where f.account_id = recipient and f.target_account_id = originator)
    );
end
$function$;

CREATE OR REPLACE FUNCTION public.booster_inboxes(status bigint)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  with reached as materialized (
    select distinct f.account_id
    from statuses s
    cross join lateral (
      select b.account_id from statuses b where b.reblog_of_id = s.id and b.local order by b.id limit 100
    ) booster
    join follows f on f.target_account_id = booster.account_id
    where s.id = status and s.visibility in ('public', 'unlisted')
  )
  select distinct i.inbox
  from reached
  join reachable_inboxes() i on i.account_id = reached.account_id
  join statuses s on s.id = status
  where not exists (
      select from blocks b
      where b.account_id = s.account_id and b.target_account_id = i.account_id and (s.deleted_at is null or b.created_at < s.created_at)
    )
    and not exists (
      select from account_domain_blocks d
      where d.account_id = s.account_id and d.domain = i.domain and (s.deleted_at is null or d.created_at < s.created_at)
    )
$function$;

CREATE OR REPLACE FUNCTION public.canonical_email(email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower(((replace(split_part(split_part(email, '@'::text, 1), '+'::text, 1), '.'::text, ''::text) || '@'::text) || split_part(email, '@'::text, 2)));

CREATE OR REPLACE FUNCTION public.canonical_email_hash(email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN encode(sha256(convert_to(canonical_email(email), 'UTF8'::name)), 'hex'::text);

CREATE OR REPLACE FUNCTION public.clean_up_follow_requests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from notifications n using removed
  where n.account_id = removed.target_account_id and n.from_account_id = removed.account_id
    and n.type = 'follow_request' and n.activity_id = removed.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.clean_up_follows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  with change as (
    select one.account_id, sum(one.following) as following, sum(one.followers) as followers
    from (
      select removed.account_id, 1 as following, 0 as followers from removed
      union all
      select removed.target_account_id, 0, 1 from removed
    ) one
    group by one.account_id
  ), held as materialized (
    select s.account_id from account_stats s join change on change.account_id = s.account_id
    order by s.account_id
    for no key update of s
  )
  update account_stats s
  set following_count = s.following_count - change.following, followers_count = s.followers_count - change.followers
  from held
  join change on change.account_id = held.account_id
  where s.account_id = held.account_id;
  delete from notifications n using removed
  where n.account_id = removed.target_account_id and n.from_account_id = removed.account_id
    and n.type = 'follow' and n.activity_id = removed.id;
  delete from endorsements e using removed
  where e.account_id = removed.account_id and e.target_account_id = removed.target_account_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.clear_account(account bigint, max_rows integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  reference record;
  removed integer;
begin
  for reference in
    select c.conrelid::regclass as place, a.attname as name
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.confdeltype = 'c' and c.conparentid = 0
      and c.conrelid::regclass::text
        <> all (array[
          'users', 'account_stats', 'statuses', 'media_attachments', 'reports', 'account_warnings', 'appeals',
          'canonical_email_blocks', 'moderation_notes', 'signing_keys'
        ])
      and not (
        (select o.domain is not null from accounts o where o.id = account)
        and (c.conrelid::regclass::text, a.attname) in (
          ('blocks', 'target_account_id'), ('mutes', 'target_account_id'), ('account_notes', 'target_account_id'),
          ('quotes', 'quoted_account_id')
        )
      )
    order by c.conrelid::regclass::text, a.attname
  loop
    execute format('delete from %1$s where ctid = any (array(select ctid from %1$s where %2$I = $1 limit $2))', reference.place, reference.name)
      using account, max_rows;
    get diagnostics removed = row_count;
    if removed > 0 then
      return removed;
    end if;
  end loop;
  return 0;
end
$function$;

CREATE OR REPLACE FUNCTION public.content_kinds_of(status bigint, attachments bigint[])
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  return array(
    select case when m.type = 'gifv' then 'video' else m.type end as kind from media_attachments m where m.id = any (attachments)
    union
    select 'poll' from polls p where p.status_id = status
    union
    select 'quote' from quotes q where q.status_id = status
    union
    select 'link' from preview_cards_statuses l where l.status_id = status
    union
    select 'embed'
    from preview_cards_statuses l
    join preview_cards p on p.id = l.preview_card_id
    where l.status_id = status and p.type = 'video'
    order by kind
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.count_active_days()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select 'active_users', changed.day, '', coalesce((changed.day - changed.previous)::text, ''), pg_backend_pid(), sum(changed.amount)
  from (
    select d.day, lag(d.day) over (partition by d.user_id order by d.day) as previous, 1 as amount
    from active_days d
    where d.user_id in (select added.user_id from added)
    union all
    select d.day, lag(d.day) over (partition by d.user_id order by d.day), -1
    from active_days d
    where d.user_id in (select added.user_id from added)
      and not exists (select from added where added.user_id = d.user_id and added.day = d.day)
  ) changed
  group by changed.day, changed.previous
  having sum(changed.amount) <> 0
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_by_day(counter day_counter, day date, amount bigint, domain text DEFAULT ''::text, detail text DEFAULT ''::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_variable
begin
  if amount <> 0 then
    insert into day_counters as c (counter, day, domain, detail, slot, amount)
    values (counter, day, domain, detail, pg_backend_pid(), amount)
    on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_favourites()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select 'interactions', (f.created_at at time zone 'UTC')::date, '', '', pg_backend_pid(), count(*)
  from created f
  join accounts a on a.id = f.account_id and a.domain is null
  group by 2
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_follows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into account_stats as s (account_id, following_count, followers_count)
  select change.account_id, sum(change.following), sum(change.followers)
  from (
    select created.account_id, 1 as following, 0 as followers from created
    union all
    select created.target_account_id, 0, 1 from created
  ) change
  group by change.account_id
  order by change.account_id
  on conflict (account_id) do update
  set following_count = s.following_count + excluded.following_count,
    followers_count = s.followers_count + excluded.followers_count;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_follows_by_day()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select counted.counter, (f.created_at at time zone 'UTC')::date, counted.domain, '', pg_backend_pid(), count(*) * change
  from changed f
  join accounts follower on follower.id = f.account_id
  join accounts followed on followed.id = f.target_account_id
  cross join lateral (
    select 'follows'::day_counter as counter, followed.domain where followed.domain is not null
    union all
    select 'followers', follower.domain where follower.domain is not null
    union all
    select 'interactions', '' where follower.domain is null and change = 1
  ) counted
  group by 1, 2, 3
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_media()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  attachment media_attachments := case tg_op when 'DELETE' then old else new end;
  bytes bigint := 0;
begin
  if tg_op <> 'INSERT' then
    bytes := -old.file_bytes - old.preview_bytes;
  end if;
  if tg_op <> 'DELETE' then
    bytes := bytes + new.file_bytes + new.preview_bytes;
  end if;
  perform count_by_day(
    'media_bytes', snowflake_day(attachment.id), bytes,
    coalesce((select a.domain from accounts a where a.id = attachment.account_id), '')
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_new_statuses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  today date := snowflake_day(new.id);
  domain text := '';
begin
  if new.local then
    perform count_by_day('statuses', today, 1);
    if new.reblog_of_id is not null or new.in_reply_to_account_id <> new.account_id then
      perform count_by_day('interactions', today, 1);
    end if;
    return null;
  end if;
  select coalesce(a.domain, '') into domain from accounts a where a.id = new.account_id;
  perform count_by_day('statuses', today, 1, domain);
  if new.reblog_of_id is null then
    perform count_by_day('languages', today, 1, domain, coalesce(new.language, ''));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_poll_votes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select 'interactions', (v.created_at at time zone 'UTC')::date, '', '', pg_backend_pid(), count(distinct (v.poll_id, v.account_id))
  from created v
  join accounts a on a.id = v.account_id and a.domain is null
  group by 2
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_remote_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform count_by_day('accounts', snowflake_day(new.id), 1, new.domain);
    return null;
  end if;
  delete from reports r where r.target_account_id = old.id;
  delete from follows f where f.account_id = old.id or f.target_account_id = old.id;
  delete from media_attachments m where m.account_id = old.id;
  delete from statuses s where s.account_id = old.id;
  perform count_by_day('accounts', snowflake_day(old.id), -1, old.domain);
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_remote_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  domain text := (select a.domain from accounts a where a.id = old.account_id);
  day date := snowflake_day(old.id);
  existed boolean := old.deleted_at is null;
  remains boolean := tg_op = 'UPDATE' and new.deleted_at is null;
begin
  if domain is null then
    return null;
  end if;
  perform count_by_day('deleted_statuses', day, existed::integer - remains::integer, domain);
  if old.reblog_of_id is null and (not remains or not existed or new.language is distinct from old.language) then
    perform count_by_day('languages', day, -existed::integer, domain, coalesce(old.language, ''));
    if remains then
      perform count_by_day('languages', day, 1, domain, coalesce(new.language, ''));
    end if;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform add_report_counts(array(select row(a.*)::reports from added a), '{}');
  elsif tg_op = 'DELETE' then
    perform add_report_counts('{}', array(select row(r.*)::reports from removed r));
  else
    perform add_report_counts(
      array(
        select row(a.*)::reports from added a join removed r on r.id = a.id
        where (a.created_at, a.action_taken_at, a.target_domain) is distinct from (r.created_at, r.action_taken_at, r.target_domain)
      ),
      array(
        select row(r.*)::reports from added a join removed r on r.id = a.id
        where (a.created_at, a.action_taken_at, a.target_domain) is distinct from (r.created_at, r.action_taken_at, r.target_domain)
      )
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_status_tags()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('millrace.recounting', true) = 'on' then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    perform count_tags(
      array(
        select row(r.tag_id, r.status_id, r.account_id, r.language, r.counted, r.listed)::status_tags
        from removed r order by r.account_id, r.tag_id
      ),
      -1
    );
  end if;
  if tg_op <> 'DELETE' then
    perform count_tags(
      array(
        select row(a.tag_id, a.status_id, a.account_id, a.language, a.counted, a.listed)::status_tags
        from added a order by a.account_id, a.tag_id
      ),
      1
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_tags(used status_tags[], change integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  today date := (now() at time zone 'UTC')::date;
  one status_tags;
  used_on date;
  author bigint;
  domain text;
  uses_left bigint;
  turned boolean;
  earlier date;
  later date;
begin
  foreach one in array used loop
    continue when not one.counted;
    used_on := snowflake_day(one.status_id);
    if domain is null or one.account_id is distinct from author then
      author := one.account_id;
      domain := coalesce((select a.domain from accounts a where a.id = author), '');
    end if;
    insert into tag_server_days as c (tag_id, day, domain, language, slot, uses)
    values (one.tag_id, used_on, domain, coalesce(one.language, ''), pg_backend_pid(), change)
    on conflict on constraint tag_server_days_pkey do update set uses = c.uses + change;

    continue when not one.listed or author is null or used_on < today - 14;
    insert into tag_account_days as d (tag_id, account_id, day, uses)
    values (one.tag_id, author, used_on, change)
    on conflict on constraint tag_account_days_pkey do update set uses = d.uses + change
    returning d.uses into uses_left;
    -- Nothing of an account is left when all its statuses are deleted.
    if uses_left = 0 then
      delete from tag_account_days d where d.tag_id = one.tag_id and d.account_id = author and d.day = used_on;
    end if;
    turned := uses_left = greatest(change, 0);
    earlier := null;
    later := null;
    if turned then
      select d.day into earlier from tag_account_days d
      where d.tag_id = one.tag_id and d.account_id = author and d.day < used_on and d.uses > 0
      order by d.day desc
      limit 1;
      if used_on < today then
        select d.day into later from tag_account_days d
        where d.tag_id = one.tag_id and d.account_id = author and d.day > used_on and d.uses > 0
        order by d.day
        limit 1;
      end if;
    end if;
    insert into tag_use_days as c (tag_id, day, distance, slot, uses, accounts)
    values (
      one.tag_id, used_on, case when turned then least(coalesce(used_on - earlier, 14), 14) else 0 end, pg_backend_pid(),
      change, case when turned then change else 0 end
    )
    on conflict on constraint tag_use_days_pkey do update
      set uses = c.uses + change, accounts = c.accounts + excluded.accounts;
    if later is not null then
      insert into tag_use_days as c (tag_id, day, distance, slot, uses, accounts)
      select one.tag_id, later, moved.distance, pg_backend_pid(), 0, sum(moved.accounts)
      from (
        values (least(later - used_on, 14), change), (least(coalesce(later - earlier, 14), 14), -change)
      ) moved (distance, accounts)
      group by moved.distance
      having sum(moved.accounts) <> 0
      on conflict on constraint tag_use_days_pkey do update set accounts = c.accounts + excluded.accounts;
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_users()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    perform count_by_day('registrations', (new.created_at at time zone 'UTC')::date, 1);
  end if;
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select moved.counter, moved.day, '', moved.detail, pg_backend_pid(), sum(moved.amount)
  from (
    select former.*, -1 as amount from user_counters(old) former
    union all
    select present.*, 1 from user_counters(new) present
  ) moved
  group by moved.counter, moved.day, moved.detail
  having sum(moved.amount) <> 0
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.decayed(score double precision, age interval, half_life_s integer)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (score * ((0.5)::double precision ^ LEAST(GREATEST(((EXTRACT(epoch FROM age))::double precision / (half_life_s)::double precision), (0)::double precision), (1000)::double precision)));

CREATE OR REPLACE FUNCTION public.domain_rule(domain text)
 RETURNS SETOF domain_blocks
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  select b.* from domain_blocks b where b.domain = any (domains_above(domain_rule.domain)) order by length(b.domain) desc limit 1
$function$;

CREATE OR REPLACE FUNCTION public.domains_above(domain text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  rest text := regexp_replace(domain, '\.*(:[0-9]*)?$', '');
  found text[] := case when domain in ('', rest) then '{}' else array[domain] end;
begin
  while rest <> '' loop
    found := found || rest;
    rest := case when position('.' in rest) > 0 then substr(rest, position('.' in rest) + 1) else '' end;
  end loop;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION public.drop_event_partition(keep interval)
 RETURNS text
 LANGUAGE plpgsql
 SET lock_timeout TO '200ms'
AS $function$
declare
  oldest text;
begin
  select min(c.relname) into oldest
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{10}$';
  if oldest is null
    or to_timestamp(oldest || '+00', '"events_"YYYYMMDDHH24TZH') + interval '1 hour' > clock_timestamp() - keep then
    return null;
  end if;
  execute format('drop table if exists %I', oldest);
  return oldest;
end
$function$;

CREATE OR REPLACE FUNCTION public.emojis_in(source text, server text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if source !~ ':[a-zA-Z0-9_]{2,}:' then
    return null;
  end if;
  return (
    select jsonb_agg(
      jsonb_build_object('shortcode', e.shortcode, 'image', e.image, 'visible_in_picker', e.visible_in_picker) order by e.id
    )
    from custom_emojis e
    where coalesce(e.domain, '') = coalesce(server, '') and not e.disabled
      and e.shortcode in (select name[1] from regexp_matches(source, ':([a-zA-Z0-9_]{2,})(?=:)', 'g') name)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.end_notification_permissions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from notification_permissions p using accounts a
  where p.account_id = new.account_id and a.id = p.from_account_id and a.domain = new.domain;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.end_security_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from security_keys where security_keys.user_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.enqueue(name text, payload json, attempts integer DEFAULT 16, priority integer DEFAULT 0, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, job_key text DEFAULT NULL::text, queue_name text DEFAULT NULL::text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_variable
declare
  added bigint;
begin
  select job.id into added
  from graphile_worker.add_job(
    name, payload, queue_name => queue_name, run_at => run_at, max_attempts => attempts, job_key => job_key, priority => priority
  ) job;
  -- These notifications are for our own wake-ups; graphile-worker ignores a count of 0.
  if queue_name is not null then
    -- A worker that looks for a job locks all queues that are available, even if it finds none, and
    -- the one that this job wakes passes over locked queues: it has to look again.
    perform pg_notify('jobs:insert', '{"count": 0, "queued": true}');
  end if;
  if run_at > now() then
    -- The time in milliseconds since the epoch, so that each worker sets its timer.
    perform pg_notify('jobs:insert', json_build_object('count', 0, 'at', ceil(extract(epoch from run_at) * 1000)::bigint)::text);
  end if;
  return added;
end
$function$;

CREATE OR REPLACE FUNCTION public.enqueue_lane(lane integer)
 RETURNS void
 LANGUAGE sql
AS $function$
  select enqueue(
    'federation.receive_lane',
    json_build_object('lane', lane),
    attempts => 25,
    priority => 5,
    job_key => 'federation.receive_lane:' || lane,
    queue_name => 'federation.receive:' || lane
  )
$function$;

CREATE OR REPLACE FUNCTION public.enqueue_mail()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  due timestamptz := to_timestamp(ceil(extract(epoch from now() + interval '2 minutes') / 20) * 20);
begin
  if current_setting('millrace.unmailed', true) = 'on' then
    return null;
  end if;
  insert into waiting_emails (notification_id, due_at, always)
  select n.id, due, u.mail_always
  from added n
  cross join lateral (
    select u.mail_always
    from users u
    where u.account_id = n.account_id and n.type = any (u.mail_types)
      and (u.mail_always or not exists (select from push_subscriptions s where s.user_id = u.id))
    offset 0
  ) u
  where not n.filtered
  on conflict do nothing; -- a notification that was removed and restored
  if found and not exists (select from email_rounds r where r.due_at = due) then
    insert into email_rounds (due_at) values (due) on conflict do nothing;
    if found then
      perform enqueue('notification_mail.begin', '{}', run_at => due);
    end if;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.enqueue_preview(status bigint, link text DEFAULT NULL::text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
declare
  remote boolean := exists (select from statuses s where s.id = status and not s.local);
begin
  return enqueue(
    'preview_cards.attach', json_strip_nulls(json_build_object('status_id', status::text, 'link', link)), attempts => 3, priority => 10,
    run_at => case when remote then now() + random() * interval '1 minute' end, job_key => 'preview_cards.attach:' || status,
    queue_name => 'preview_cards:' || case when remote then 'remote:' else '' end || (status % 2)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.enqueue_pushes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform enqueue(
    'push.send',
    json_build_object('subscription_id', s.id::text, 'notification_id', n.id::text),
    attempts => 6,
    priority => 10,
    job_key => 'push:' || s.id || ':' || n.id
  )
  from added n
  cross join lateral (
    select s.id
    from users u
    join push_subscriptions s on s.user_id = u.id
    where u.account_id = n.account_id and wants_push(s, n.account_id, n.from_account_id, n.type)
    offset 0
  ) s
  where not n.filtered;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.enqueue_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.domain is not null
    and exists (select from domain_blocks b where b.severity = 'suspend' and b.created_at = new.suspended_at)
  then
    return null;
  end if;
  perform enqueue(
    'account_removal.suspended',
    '{}',
    run_at => new.suspended_at + interval '720 hours',
    job_key => format('account_removal.suspended:%s', extract(epoch from new.suspended_at))
  );
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.enqueue_subscription_emails()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from email_subscriptions s where s.account_id = new.actor_id and s.confirmed_at is not null) then
    perform enqueue(
      'email_subscriptions.send',
      json_build_object('status_id', new.status_id::text),
      priority => 10,
      run_at => now() + interval '2 minutes',
      job_key => format('email_subscriptions:%s', new.status_id)
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.enqueue_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  change text := new.data ->> 'change';
  subject bigint := case
    when new.kind like 'status.%' then new.status_id
    when new.kind like 'report.%' then new.object_id
    else new.account_id
  end;
  happened text[] := case
    when new.kind in ('report.created', 'report.updated') then array[new.kind]
    when new.kind in ('status.created', 'status.updated') then
      case when new.data ->> 'local' = 'true' and new.data ->> 'reblog_of_id' is null then array[new.kind] end
    when new.kind = 'user.changed' then
      case
        when change = 'created' then '{account.created}'::text[]
        when change = 'approved' then '{account.approved}'
        when change in ('confirmed', 'role', 'disabled', 'enabled', 'operator') then
          case when new.data ->> 'first' = 'true' then '{account.approved,account.updated}' else '{account.updated}' end::text[]
      end
    when new.kind = 'account.changed' and change not in ('created', 'counts', 'deletion', 'deleted') then '{account.updated}'
  end;
  hook bigint;
  occurred text;
begin
  if happened is null then
    return null;
  end if;
  for hook, occurred in
    select w.id, h.occurred
    from webhooks w
    cross join unnest(happened) h (occurred)
    where w.enabled and h.occurred = any (w.events)
    order by w.id, h.occurred
  loop
    if occurred = 'account.approved' and change <> 'approved' and not exists (
      select
      from users u
      where u.account_id = subject and u.approved and not exists (
        select from admin_action_logs l where l.action = 'approve' and l.target_type = 'User' and l.target_id = u.id
      )
    ) then
      continue;
    end if;
    if occurred = 'account.updated' and exists (select from accounts a where a.id = subject and a.domain is not null) then
      return null;
    end if;
    perform enqueue(
      'webhooks.deliver',
      json_build_object(
        'webhook', hook::text, 'event', occurred, 'subject', subject::text,
        'at', to_char(new.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'position', format('%s-%s', new.txid, new.id)
      ),
      job_key => case when occurred like '%.updated' then format('webhooks:%s:%s:%s', hook, occurred, subject) end,
      queue_name => format('webhooks:%s', hook % 2),
      priority => 20
    );
  end loop;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.enter_conversation(owner bigint, conversation bigint, status bigint, others bigint[], is_unread boolean)
 RETURNS jsonb
 LANGUAGE sql
AS $function$
  with inserted as (
    insert into account_conversations as c
      (account_id, conversation_id, participant_account_ids, status_ids, last_status_id, unread)
    values (
      owner, conversation, array(select distinct o from unnest(others) o where o <> owner order by o), array[status], status,
      is_unread
    )
    on conflict (account_id, conversation_id, participant_account_ids) do update set
      status_ids = array(select distinct i from unnest(c.status_ids || status) i order by i),
      last_status_id = greatest(c.last_status_id, status),
      unread = is_unread
    returning c.id
  ), logged as (
    insert into events (kind, account_id, status_id, object_id)
    select 'conversation.changed', owner, status, inserted.id from inserted
    returning event_json(events) as event
  )
  select logged.event from logged
$function$;

CREATE OR REPLACE FUNCTION public.event_json(event events)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_object('txid', ((event).txid)::text, 'id', ((event).id)::text, 'kind', (event).kind, 'actor_id', ((event).actor_id)::text, 'account_id', ((event).account_id)::text, 'status_id', ((event).status_id)::text, 'object_id', ((event).object_id)::text, 'data', (event).data);

CREATE OR REPLACE FUNCTION public.feature_approval(owner bigint, target accounts)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case
    when target.domain is null then case
      when not coalesce(target.discoverable, false) then 'denied'
      when not target.locked or target.id = owner or 'followers' = any (own.groups) then 'automatic'
      else 'denied'
    end
    when target.feature_automatic is null and target.feature_manual is null then 'missing'
    when target.feature_automatic && own.groups then 'automatic'
    when target.feature_manual && own.groups then 'manual'
    when 'unsupported_policy' = any (target.feature_automatic || target.feature_manual) then 'unknown'
    else 'denied'
  end
  from (
    select array['public']
      || case when exists (select from follows f where f.account_id = owner and f.target_account_id = target.id) then array['followers'] else '{}' end
      || case when exists (select from follows f where f.account_id = target.id and f.target_account_id = owner) then array['following'] else '{}' end
      as groups
  ) own
$function$;

CREATE OR REPLACE FUNCTION public.federate_collection_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed collection_items := coalesce(new, old);
  before boolean := coalesce(old.state = 'accepted', false);
  after boolean := coalesce(new.state = 'accepted', false);
begin
  if before = after or not exists (select from accounts a where a.inbox_url <> '') then
    return null;
  end if;
  perform enqueue(
    'federation.send_collection',
    json_build_object(
      'kind', case when after then 'Add' else 'Remove' end, 'account', c.account_id::text, 'collection', c.id::text,
      'item', changed.id::text
    ),
    queue_name => 'federation.send:' || c.id % 16
  )
  from collections c
  join accounts o on o.id = c.account_id and o.domain is null
  where c.id = changed.collection_id and c.uri is null and c.discoverable and c.created_at < now();
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_collections()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed collections := coalesce(new, old);
  before boolean := coalesce(old.discoverable, false);
  after boolean := coalesce(new.discoverable, false);
begin
  if (before or after) and changed.uri is null
    and exists (select from accounts a where a.inbox_url <> '')
    and exists (select from accounts a where a.id = changed.account_id and a.domain is null)
  then
    perform enqueue(
      'federation.send_collection',
      json_build_object(
        'kind', case when not before then 'Add' when after then 'Update' else 'Remove' end,
        'account', changed.account_id::text, 'collection', changed.id::text
      ),
      queue_name => 'federation.send:' || changed.id % 16
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_favourites()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('millrace.receiving', true) = 'on' then
    return null;
  end if;
  perform enqueue(
    'federation.send_like',
    json_build_object('ended', tg_op = 'DELETE', 'id', c.id::text, 'account', c.account_id::text, 'status', c.status_id::text),
    queue_name => 'federation.send:' || (c.account_id + c.status_id) % 16
  )
  from changed c
  join statuses s on s.id = c.status_id and not s.local
  join accounts a on a.id = c.account_id and a.domain is null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_feature_requests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select
    from collections c
    join accounts o on o.id = c.account_id and o.domain is null
    join accounts a on a.id = new.account_id and a.inbox_url <> ''
    where c.id = new.collection_id
  ) then
    perform enqueue(
      'federation.send_feature_request', json_build_object('item', new.id::text),
      queue_name => 'federation.send:' || new.collection_id % 16
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_featured()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('millrace.receiving', true) = 'on' or not exists (select from accounts a where a.inbox_url <> '') then
    return null;
  end if;
  perform enqueue(
    'federation.send_featured',
    json_build_object(
      'ended', tg_op = 'DELETE', 'account', c.account_id::text, 'status', to_json(c) ->> 'status_id', 'tag', to_json(c) ->> 'name'
    ),
    queue_name => 'federation.send:' || c.account_id % 16
  )
  from changed c
  join accounts a on a.id = c.account_id and a.domain is null
  where tg_table_name = 'featured_tags'
    or exists (select from statuses s where s.id = (to_json(c) ->> 'status_id')::bigint and s.deleted_at is null);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_moves()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (exists (select from accounts a where a.inbox_url <> '') or exists (select from relays r where r.state = 'accepted'))
    and exists (select from accounts a where a.id = new.account_id and a.domain is null)
  then
    perform enqueue(
      'federation.send_move', json_build_object('migration', new.id::text), queue_name => 'federation.send:' || new.account_id % 16
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_poll_end()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from accounts a where a.inbox_url <> '')
    and exists (select from statuses s where s.id = new.status_id and s.local)
  then
    perform enqueue('federation.send_poll', json_build_object('status', new.status_id::text));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_profiles()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.kind = 'account.changed' and new.data ->> 'change' not in (
    'profile', 'verified', 'aliases', 'moved', 'suspended', 'unsuspended', 'deleted'
  ) then
    return null;
  end if;
  if (exists (select from accounts a where a.inbox_url <> '') or exists (select from relays r where r.state = 'accepted'))
    and exists (select from accounts a where a.id = new.account_id and a.domain is null)
  then
    perform enqueue(
      'federation.send_account',
      json_build_object('account', new.account_id::text, 'at', floor(extract(epoch from new.created_at))),
      run_at => now() + interval '5 seconds',
      job_key => format('federation.account:%s', new.account_id)
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_quotes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from accounts a where a.id = new.account_id and a.domain is null)
    and exists (select from accounts q where q.id = new.quoted_account_id and q.inbox_url <> '')
  then
    perform enqueue(
      'federation.send_quote_request', json_build_object('quote', new.id::text), queue_name => 'federation.send:' || new.status_id % 16
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_relations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('millrace.receiving', true) = 'on' then
    return null;
  end if;
  perform enqueue(
    'federation.send_relation',
    json_build_object(
      'table', tg_table_name, 'ended', tg_op = 'DELETE', 'id', c.id::text, 'account', c.account_id::text,
      'target', c.target_account_id::text, 'uri', to_json(c) ->> 'uri',
      'accepted', exists (
        select from follows f where f.account_id = c.account_id and f.target_account_id = c.target_account_id
      )
    ),
    queue_name => 'federation.send:' || (c.account_id + c.target_account_id) % 16
  )
  from changed c
  join accounts a on a.id = c.account_id
  join accounts t on t.id = c.target_account_id
  where (a.domain is null) <> (t.domain is null)
    and case when a.domain is null then t.inbox_url <> '' else a.inbox_url <> '' and tg_op = 'DELETE' and tg_table_name <> 'blocks' end;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform enqueue('federation.send_flag', json_build_object('report', new.id::text));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_revocations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from accounts a where a.inbox_url <> '')
    and exists (select from accounts a where a.id = new.quoted_account_id and a.domain is null)
  then
    perform enqueue('federation.send_revocation', json_build_object('quote', new.id::text));
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_statuses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (exists (select from accounts a where a.inbox_url <> '') or exists (select from relays r where r.state = 'accepted')) then
    perform enqueue(
      'federation.send_status',
      json_build_object(
        'kind', new.kind, 'status', new.status_id::text, 'boosted', new.data ->> 'reblog_of_id',
        'at', floor(extract(epoch from new.created_at))
      ),
      queue_name => 'federation.send:' || new.status_id % 16
    );
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federate_votes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from accounts a where a.inbox_url <> '') then
    return null;
  end if;
  perform enqueue(
    'federation.send_votes',
    json_build_object('account', given.account_id::text, 'poll', given.poll_id::text, 'choices', given.choices),
    queue_name => 'federation.send:' || given.account_id % 16
  )
  from (
    select c.account_id, c.poll_id, to_json(array_agg(c.choice order by c.choice)) as choices
    from changed c
    join polls p on p.id = c.poll_id
    join statuses s on s.id = p.status_id and not s.local
    join accounts a on a.id = c.account_id and a.domain is null
    group by c.account_id, c.poll_id
  ) given;
  perform enqueue(
    'federation.send_poll',
    json_build_object('status', counted.status_id::text),
    run_at => now() + interval '3 minutes',
    job_key => format('federation.poll:%s:%s', counted.status_id, floor(extract(epoch from now()) / 180))
  )
  from (
    select distinct p.status_id
    from changed c
    join polls p on p.id = c.poll_id and not p.hide_totals
    join statuses s on s.id = p.status_id and s.local
  ) counted;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.federated_emojis(source text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_agg(
    jsonb_build_object('id', e.id::text, 'shortcode', e.shortcode, 'image', e.image, 'updated_at', e.updated_at) order by e.id
  )
  from custom_emojis e
  where e.domain is null and not e.disabled
    and e.shortcode in (select found[1] from regexp_matches(source, ':([a-zA-Z0-9_]{2,})(?=:)', 'g') found)
$function$;

CREATE OR REPLACE FUNCTION public.federated_status(status bigint)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', s.id::text, 'account_id', s.account_id::text, 'uri', s.uri, 'actor', a.uri, 'domain', a.domain,
    'visibility', s.visibility, 'reblog', s.reblog_of_id is not null, 'deleted', s.deleted_at is not null
  )
  from statuses s
  join accounts a on a.id = s.account_id
  where s.id = status
$function$;

CREATE OR REPLACE FUNCTION public.fetch_queue(url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select 'federation.fetch:' || (hashtext(coalesce(substring(url from '^https?://([^/?#]+)'), '')) & 3)
$function$;

CREATE OR REPLACE FUNCTION public.first_snowflake(at timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((EXTRACT(epoch FROM at) * (1000)::numeric))::bigint << 16);

CREATE OR REPLACE FUNCTION public.follow_webhooks()
 RETURNS trigger
 LANGUAGE plpgsql
 SET lock_timeout TO '3s'
AS $function$
declare
  wanted boolean;
  present boolean;
begin
  -- "hook" in ASCII.
  perform pg_advisory_xact_lock(x'686f6f6b'::integer);
  wanted := exists (select from webhooks w where w.enabled);
  present := (
    select t.tgenabled <> 'D' from pg_trigger t where t.tgrelid = 'events'::regclass and t.tgname = 'events_webhooks'
  );
  if wanted and not present then
    alter table events enable trigger events_webhooks;
  elsif present and not wanted then
    alter table events disable trigger events_webhooks;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.handle_of(account accounts)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select account.username || coalesce('@' || account.domain, '')
$function$;

CREATE OR REPLACE FUNCTION public.has_boosts_left(status bigint, removed bigint)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  return exists (select from statuses b where b.reblog_of_id = has_boosts_left.status and b.deleted_at is null);
end
$function$;

CREATE OR REPLACE FUNCTION public.has_permission(permissions bigint, name text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((permissions & (permission(name) | permission('administrator'::text))) <> 0);

CREATE OR REPLACE FUNCTION public.is_evidence(status statuses)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from reports r
    where r.target_account_id = status.account_id and r.action_taken_at is null and r.status_ids @> array[status.id]
  ) or exists (
    select from account_warnings w
    where w.target_account_id = status.account_id and w.status_ids @> array[status.id]
      and w.created_at > now() - interval '30 days'
  )
$function$;

CREATE OR REPLACE FUNCTION public.join_memberships(source bigint, target bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update list_accounts m set follow_id = other.id
  from follows f
  join follows other on other.account_id = f.account_id and other.target_account_id = target
  where f.target_account_id = source and m.follow_id = f.id;
  update list_accounts m set follow_request_id = other.id
  from follow_requests r
  join follow_requests other on other.account_id = r.account_id and other.target_account_id = target
  where r.target_account_id = source and m.follow_request_id = r.id;
  update endorsements e set target_account_id = target
  where e.target_account_id = source
    and not exists (select from endorsements o where o.account_id = e.account_id and o.target_account_id = target);
  update mutes m
  set hide_notifications = m.hide_notifications or o.hide_notifications,
    expires_at = case when m.expires_at is not null and o.expires_at is not null then greatest(m.expires_at, o.expires_at) end
  from mutes o
  where o.target_account_id = source and m.target_account_id = target and m.account_id = o.account_id;
  update account_notes n
  set comment = case when n.comment = o.comment then n.comment else n.comment || E'\n' || o.comment end
  from account_notes o
  where o.target_account_id = source and n.target_account_id = target and n.account_id = o.account_id;
  with dropped as (
    delete from notification_requests r using notification_requests other
    where r.from_account_id = source and other.from_account_id = target and other.account_id = r.account_id
    returning other.id, r.created_at, r.updated_at
  )
  update notification_requests r
  set created_at = least(r.created_at, dropped.created_at), updated_at = greatest(r.updated_at, dropped.updated_at)
  from dropped
  where r.id = dropped.id;
end
$function$;

CREATE OR REPLACE FUNCTION public.join_notification_group()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into notification_groups as g (account_id, group_key, type, newest_id, oldest_id, members)
  select n.account_id, n.group_key, n.type, n.id, n.id, 1 from notifications n where n.id = new.id
  on conflict (account_id, group_key) do update
  set newest_id = greatest(g.newest_id, excluded.newest_id), oldest_id = least(g.oldest_id, excluded.oldest_id),
    members = g.members + 1;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.leave_conversations(conversation bigint, gone bigint[], author bigint)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  logged jsonb;
begin
  perform from account_conversations k
  where k.conversation_id = conversation and k.status_ids && gone
  order by k.account_id, k.id
  for update;
  with entries as materialized (
    select k.id, k.account_id, array(select i from unnest(k.status_ids) i where i <> all (gone) order by i) as status_ids
    from account_conversations k
    where k.conversation_id = conversation and k.status_ids && gone
  ), shortened as (
    update account_conversations k
    set status_ids = entries.status_ids, last_status_id = entries.status_ids[cardinality(entries.status_ids)]
    from entries
    where k.id = entries.id and entries.status_ids <> '{}'
  ), cleared as (
    delete from account_conversations k using entries where k.id = entries.id and entries.status_ids = '{}'
  ), made as (
    insert into events (kind, actor_id, account_id, status_id, object_id)
    select 'conversation.changed', author, entries.account_id, gone[1], entries.id from entries
    returning event_json(events) as event
  )
  select coalesce(jsonb_agg(made.event), '[]') into logged from made;
  return logged;
end
$function$;

CREATE OR REPLACE FUNCTION public.leave_notification_groups()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from removed where removed.group_key not like 'ungrouped-%') then
    return null;
  end if;
  perform
  from notification_groups g
  where (g.account_id, g.group_key) in (select removed.account_id, removed.group_key from removed)
  order by g.account_id, g.group_key
  for update;
  with less as materialized (
    select removed.account_id, removed.group_key, count(*) as amount
    from removed
    where removed.group_key not like 'ungrouped-%'
    group by removed.account_id, removed.group_key
  ), remaining as materialized (
    select less.account_id, less.group_key, less.amount, newest.id as newest_id, oldest.id as oldest_id
    from less
    left join lateral (
      select n.id
      from notifications n
      where n.account_id = less.account_id and n.group_key = less.group_key and not n.filtered
      order by n.id desc
      limit 1
    ) newest on true
    left join lateral (
      select n.id
      from notifications n
      where n.account_id = less.account_id and n.group_key = less.group_key and not n.filtered
      order by n.id
      limit 1
    ) oldest on true
  ), ended as (
    delete from notification_groups g using remaining r
    where g.account_id = r.account_id and g.group_key = r.group_key and r.newest_id is null
  )
  update notification_groups g
  set newest_id = r.newest_id, oldest_id = r.oldest_id, members = greatest(g.members - r.amount, 1)
  from remaining r
  where g.account_id = r.account_id and g.group_key = r.group_key and r.newest_id is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.leave_participants(gone bigint, conversations bigint[])
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  logged jsonb;
begin
  perform from account_conversations k
  where k.conversation_id = any (conversations)
  order by k.conversation_id, k.account_id, k.id
  for update;
  with entries as materialized (
    select k.id, k.account_id, k.status_ids, k.unread, array_remove(k.participant_account_ids, gone) as members, same.id as same_id
    from account_conversations k
    left join account_conversations same
      on same.account_id = k.account_id and same.conversation_id = k.conversation_id
      and same.participant_account_ids = array_remove(k.participant_account_ids, gone)
    where k.conversation_id = any (conversations) and k.participant_account_ids @> array[gone]
  ), changed as (
    update account_conversations k set participant_account_ids = entries.members
    from entries
    where k.id = entries.id and entries.same_id is null
  ), extended as (
    update account_conversations k
    set status_ids = array(select distinct i from unnest(k.status_ids || entries.status_ids) i order by i),
      last_status_id = greatest(k.last_status_id, entries.status_ids[cardinality(entries.status_ids)]),
      unread = k.unread or entries.unread
    from entries
    where k.id = entries.same_id
  ), removed as (
    delete from account_conversations k using entries where k.id = entries.id and entries.same_id is not null
  ), made as (
    insert into events (kind, account_id, object_id)
    select 'conversation.changed', one.account_id, one.id
    from (
      select entries.account_id, entries.id from entries
      union all
      select entries.account_id, entries.same_id from entries where entries.same_id is not null
    ) one
    returning event_json(events) as event
  )
  select coalesce(jsonb_agg(made.event), '[]') into logged from made;
  return logged;
end
$function$;

CREATE OR REPLACE FUNCTION public.like_prefix(beginning text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (regexp_replace(lower(beginning), '([\\%_])'::text, '\\\1'::text, 'g'::text) || '%'::text);

CREATE OR REPLACE FUNCTION public.limit_filters()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  owners bigint[];
  owner bigint;
  fault text;
begin
  if tg_table_name = 'filters' then
    owners := array(select distinct g.account_id from given g);
  else
    owners := array(
      select distinct (select f.account_id from filters f where f.id = g.filter_id)
      from (select distinct filter_id from given) g
    );
  end if;
  foreach owner in array owners loop
    -- Serialised, so that simultaneous additions count each other's rows.
    perform pg_advisory_xact_lock(hashtext('filters'), hashint8(owner));
    if tg_table_name = 'filters' then
      select 'filters_most' into fault from filters f where f.account_id = owner having count(*) > 200;
    elsif tg_table_name = 'filter_statuses' then
      select 'filter_statuses_most' into fault
      from filters f join filter_statuses s on s.filter_id = f.id where f.account_id = owner having count(*) > 5000;
    elsif tg_op = 'INSERT' then
      select case when count(*) > 2000 then 'filter_keywords_most' else 'filter_keywords_longest' end into fault
      from filters f join filter_keywords k on k.filter_id = f.id where f.account_id = owner
      having count(*) > 2000 or sum(char_length(k.keyword)) > 30000;
    elsif (select sum(char_length(g.keyword)) from given g) > (select sum(char_length(f.keyword)) from former f) then
      select 'filter_keywords_longest' into fault
      from filters f join filter_keywords k on k.filter_id = f.id where f.account_id = owner
      having sum(char_length(k.keyword)) > 30000;
    end if;
    if fault is not null then
      raise exception 'too much in filters' using errcode = 'check_violation', constraint = fault;
    end if;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.listed_statuses(viewer bigint)
 RETURNS SETOF statuses
 LANGUAGE sql
 STABLE
AS $function$
  select s.*
  from visible_statuses(viewer) s
  join accounts a on a.id = s.account_id
  where s.visibility = 'public'
    and s.reblog_of_id is null
    and a.silenced_at is null
    and not exists (select from blocks b where b.account_id = viewer and b.target_account_id = s.account_id)
    and not exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = s.account_id and (m.expires_at is null or m.expires_at > now())
    )
    and not exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = a.domain)
$function$;

CREATE OR REPLACE FUNCTION public.log_action(moderator bigint, action text, target_type text, target bigint, target_name text)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  insert into events (kind, actor_id, object_id, data)
  values ('action.logged', moderator, target, jsonb_build_object('action', action, 'target_type', target_type));
  insert into admin_action_logs (account_id, action, target_type, target_id, target_name)
  values (moderator, action, target_type, target, target_name)
  returning admin_action_logs.id
$function$;

CREATE OR REPLACE FUNCTION public.make_event_partition(ahead integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SET lock_timeout TO '5s'
AS $function$
declare
  starts timestamptz := date_trunc('hour', clock_timestamp(), 'UTC') + make_interval(hours => ahead);
  ends timestamptz := starts + interval '1 hour';
  partition text := 'events_' || to_char(starts at time zone 'UTC', 'YYYYMMDDHH24');
begin
  if to_regclass(partition) is not null then
    return false;
  end if;
  -- One process at a time. This lock blocks neither readers nor writers, nor holds the log back.
  lock table events in share update exclusive mode;
  if to_regclass(partition) is not null
    or exists (select from events_default e where e.created_at >= starts and e.created_at < ends) then
    return false;
  end if;
  -- From here on this transaction holds the log back, and readers wait behind it: give up soon, as
  -- the next run tries again.
  perform set_config('lock_timeout', '200ms', true);
  execute format('create table %I (like events including defaults)', partition);
  -- No statement searches the data, whose statistics were two thirds of the work of ANALYZE.
  execute format('alter table %I alter column data set statistics 0', partition);
  execute format('alter table events attach partition %I for values from (%L) to (%L)', partition, starts, ends);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION public.merge_accounts(source bigint, target bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  reference record;
  one record;
begin
  perform set_config('millrace.receiving', 'on', true);
  perform 1 from accounts a where a.id in (source, target) order by a.id for update;
  delete from follows f where (f.account_id, f.target_account_id) in ((source, target), (target, source));
  delete from follow_requests r where (r.account_id, r.target_account_id) in ((source, target), (target, source));
  delete from blocks b where (b.account_id, b.target_account_id) in ((source, target), (target, source));
  delete from quotes q using quotes other
  where q.account_id = source and other.account_id = target and q.status_id = other.status_id;
  perform merge_reactions(source, target);
  perform join_memberships(source, target);
  delete from follows f using follows other
  where (f.account_id = source and other.account_id = target and other.target_account_id = f.target_account_id)
    or (f.target_account_id = source and other.target_account_id = target and other.account_id = f.account_id);
  perform move_day_counters(source, target);

  for reference in
    select c.conrelid::regclass as place, a.attname as name
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.conparentid = 0
      and c.conrelid::regclass::text <> all (array['account_stats', 'popular_accounts', 'users', 'signing_keys'])
    order by c.conrelid::regclass::text, a.attname
  loop
    begin
      execute format('update %s set %2$I = $2 where %2$I = $1', reference.place, reference.name) using source, target;
    exception when unique_violation or check_violation then
      for one in execute format('select ctid as place from %s where %2$I = $1', reference.place, reference.name) using source loop
        begin
          execute format('update %s set %2$I = $2 where ctid = $1', reference.place, reference.name) using one.place, target;
        exception when unique_violation or check_violation then
          execute format('delete from %s where ctid = $1', reference.place) using one.place;
        end;
      end loop;
    end;
  end loop;

  for one in select k.id from account_conversations k where source = any (k.participant_account_ids) loop
    begin
      update account_conversations k
      set participant_account_ids = array(select distinct x from unnest(array_replace(k.participant_account_ids, source, target)) x order by x)
      where k.id = one.id;
    exception when unique_violation then
      with dropped as (
        delete from account_conversations k where k.id = one.id
        returning k.account_id, k.conversation_id, k.status_ids, k.last_status_id, k.unread,
          array(select distinct x from unnest(array_replace(k.participant_account_ids, source, target)) x order by x) as members
      )
      update account_conversations k
      set status_ids = array(select distinct i from unnest(k.status_ids || dropped.status_ids) i order by i),
        last_status_id = greatest(k.last_status_id, dropped.last_status_id), unread = k.unread or dropped.unread
      from dropped
      where k.account_id = dropped.account_id and k.conversation_id = dropped.conversation_id
        and k.participant_account_ids = dropped.members;
    end;
  end loop;
  insert into account_stats as s (account_id, followers_count, following_count, statuses_count, last_status_at)
  select target, o.followers_count, o.following_count, o.statuses_count, o.last_status_at from account_stats o where o.account_id = source
  on conflict (account_id) do update
  set followers_count = s.followers_count + excluded.followers_count, following_count = s.following_count + excluded.following_count,
    statuses_count = s.statuses_count + excluded.statuses_count,
    followers_elsewhere = greatest(0, s.followers_elsewhere - excluded.followers_count),
    following_elsewhere = greatest(0, s.following_elsewhere - excluded.following_count),
    statuses_elsewhere = greatest(least(s.statuses_elsewhere, 0), s.statuses_elsewhere - excluded.statuses_count), last_status_at = greatest(s.last_status_at, excluded.last_status_at);
  perform settle_relations(target);
  delete from accounts a where a.id = source;
end
$function$;

CREATE OR REPLACE FUNCTION public.merge_reactions(source bigint, target bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from notifications n using notifications other
  where n.from_account_id = source and other.from_account_id = target and n.type in ('favourite', 'reblog')
    and other.account_id = n.account_id and other.type = n.type and other.status_id = n.status_id;
  with twice as (
    delete from statuses s using statuses other
    where s.account_id = source and other.account_id = target and s.reblog_of_id = other.reblog_of_id
      and s.deleted_at is null and other.deleted_at is null
    returning s.reblog_of_id, s.visibility
  ), fewer as (
    update account_stats c set statuses_count = greatest(0, c.statuses_count - (select count(*) from twice where twice.visibility <> 'direct'))
    where c.account_id = source
  )
  update status_stats c set reblogs_count = greatest(0, c.reblogs_count - 1) from twice where c.status_id = twice.reblog_of_id;
  with twice as (
    delete from favourites f using favourites other
    where f.account_id = source and other.account_id = target and f.status_id = other.status_id
    returning f.status_id
  )
  update status_stats c set favourites_count = greatest(0, c.favourites_count - 1) from twice where c.status_id = twice.status_id;
  with twice as (
    delete from poll_votes v
    where v.account_id = source and exists (select from poll_votes other where other.poll_id = v.poll_id and other.account_id = target)
    returning v.poll_id, v.choice
  )
  update polls p
  set tallies = array(
      select greatest(0, t.amount - (select count(*) from twice where twice.poll_id = p.id and twice.choice = t.place - 1))::integer
      from unnest(p.tallies) with ordinality t (amount, place)
      order by t.place
    ),
    voters_count = case when p.voters_count is not null then greatest(0, p.voters_count - 1) end
  where p.id in (select twice.poll_id from twice);
end
$function$;

CREATE OR REPLACE FUNCTION public.midnight(day date)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((day)::timestamp without time zone AT TIME ZONE 'UTC'::text);

CREATE OR REPLACE FUNCTION public.move_day_counters(source bigint, target bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select counted.counter, counted.day, place.domain, counted.detail, pg_backend_pid(), sum(counted.amount * place.sign)
  from (
    select 'statuses'::day_counter as counter, snowflake_day(s.id) as day, '' as detail, 1 as amount from statuses s where s.account_id = source
    union all
    select 'deleted_statuses', snowflake_day(s.id), '', 1 from statuses s where s.account_id = source and not s.local and s.deleted_at is not null
    union all
    select 'languages', snowflake_day(s.id), coalesce(s.language, ''), 1 from statuses s
    where s.account_id = source and not s.local and s.deleted_at is null and s.reblog_of_id is null
    union all
    select 'follows', (f.created_at at time zone 'UTC')::date, '', 1 from follows f where f.target_account_id = source
    union all
    select 'followers', (f.created_at at time zone 'UTC')::date, '', 1 from follows f where f.account_id = source
  ) counted
  cross join (
    select a.domain, case a.id when source then -1 else 1 end as sign from accounts a where a.id in (source, target)
  ) place
  where (select count(distinct lower(a.domain)) from accounts a where a.id in (source, target)) = 2
  group by counted.counter, counted.day, place.domain, counted.detail
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount
$function$;

CREATE OR REPLACE FUNCTION public.new_status_facts(silenced boolean, visibility visibility, language text, in_reply_to bigint, in_reply_to_account bigint, conversation bigint, mentioned bigint[], tag_names text[], media bigint[], statuses bigint, last_status_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
RETURN jsonb_build_object('visibility', visibility, 'local', true, 'domain', NULL::unknown, 'silenced', silenced, 'language', language, 'reblog_of_id', NULL::unknown, 'reblog_account_id', NULL::unknown, 'reblog_domain', NULL::unknown, 'in_reply_to_id', (in_reply_to)::text, 'in_reply_to_account_id', (in_reply_to_account)::text, 'conversation_id', (conversation)::text, 'mentions', (mentioned)::text[], 'silent_mentions', '[]'::jsonb, 'tags', tag_names, 'has_media', (media <> '{}'::bigint[]), 'reblog_mentions', '[]'::jsonb, 'author_counts', CASE WHEN (last_status_at IS NOT NULL) THEN jsonb_build_object('statuses', statuses, 'last_status_us', ((EXTRACT(epoch FROM last_status_at) * (1000000)::numeric))::bigint) ELSE NULL::jsonb END);

CREATE OR REPLACE FUNCTION public.notification_group(recipient bigint, type text, status bigint, id bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  hour bigint := floor(extract(epoch from clock_timestamp()) / 3600)::bigint;
  prefix text := case
    when type in ('favourite', 'reblog') then type || '-' || status || '-'
    when type in ('follow', 'admin.sign_up') then type || '-'
  end;
begin
  if prefix is null then
    return 'ungrouped-' || id;
  end if;
  return coalesce(
    (
      select g.group_key
      from notification_groups g
      where g.account_id = recipient and g.group_key = any (array(select prefix || h from generate_series((select hour) - 11, (select hour)) h))
      order by g.group_key desc
      limit 1
    ),
    prefix || hour
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.notification_policy_decision(recipient bigint, originator bigint, type text, status bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  policy notification_policies%rowtype;
  sender record;
  is_followed boolean;
  verdicts text[] := '{}';
begin
  if type not in ('mention', 'reblog', 'follow', 'follow_request', 'favourite', 'quote', 'added_to_collection')
    or exists (
      select from notification_permissions p where p.account_id = recipient and p.from_account_id = originator
    ) then
    return 'accept';
  end if;
  select * into policy from notification_policies p where p.account_id = recipient;
  select a.created_at, a.silenced_at, a.actor_type into sender from accounts a where a.id = originator;
  is_followed := exists (
    select from follows f where f.account_id = recipient and f.target_account_id = originator
  );
  if coalesce(policy.for_not_followers, 'accept') <> 'accept' and not exists (
    select from follows f
    where f.account_id = originator and f.target_account_id = recipient
      and f.created_at < clock_timestamp() - interval '3 days'
  ) then
    verdicts := verdicts || policy.for_not_followers;
  end if;
  if not is_followed then
    verdicts := verdicts || coalesce(policy.for_not_following, 'accept');
    if sender.created_at > clock_timestamp() - interval '30 days' then
      verdicts := verdicts || coalesce(policy.for_new_accounts, 'accept');
    end if;
    if sender.silenced_at is not null then
      verdicts := verdicts || coalesce(policy.for_limited_accounts, 'filter');
    end if;
    if sender.actor_type in ('Service', 'Application') then
      verdicts := verdicts || coalesce(policy.for_bots, 'accept');
    end if;
    if type = 'mention' and coalesce(policy.for_private_mentions, 'filter') <> 'accept'
      and exists (select from statuses s where s.id = status and s.visibility = 'direct')
      and not answers_private_mention(recipient, originator, status) then
      verdicts := verdicts || coalesce(policy.for_private_mentions, 'filter');
    end if;
  end if;
  return case when 'drop' = any (verdicts) then 'drop' when 'filter' = any (verdicts) then 'filter' else 'accept' end;
end
$function$;

CREATE OR REPLACE FUNCTION public.notification_verdict(recipient bigint, originator bigint, type text, status bigint)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
begin
  if not exists (
    select from accounts a
    where a.id = recipient and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
  ) then
    return 'drop';
  end if;
  if recipient = originator then
    return case
      when type in ('poll', 'severed_relationships', 'moderation_warning', 'annual_report') then 'accept' else 'drop'
    end;
  end if;
  if type = 'mention' and ranks_as_staff(originator, recipient) then
    return 'accept';
  end if;
  if blocks_notification(recipient, originator, type, status) then
    return 'drop';
  end if;
  return notification_policy_decision(recipient, originator, type, status);
end
$function$;

CREATE OR REPLACE FUNCTION public.notify(recipient bigint, originator bigint, type text, status bigint, activity bigint)
 RETURNS jsonb
 LANGUAGE sql
AS $function$
  select notify_all(array[recipient], array[originator], type, array[status], array[activity]) -> 0
$function$;

CREATE OR REPLACE FUNCTION public.notify_all(recipients bigint[], originators bigint[], type text, statuses bigint[], activities bigint[])
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_variable
declare
  logged jsonb;
  some_filtered boolean;
begin
  if type in ('update', 'quoted_update', 'collection_update') then
    delete from notifications n
    where n.id = any (array(
      select earlier.id
      from
        unnest((select recipients), (select originators), (select statuses), (select activities))
        g (account_id, from_account_id, status_id, activity_id)
      cross join lateral (
        select o.id
        from notifications o
        where o.account_id = g.account_id and o.type = notify_all.type and o.from_account_id = g.from_account_id
          and o.activity_id = g.activity_id and o.status_id is not distinct from g.status_id
        offset 0
      ) earlier
      where notification_verdict(g.account_id, g.from_account_id, type, g.status_id) <> 'drop'
    ));
  end if;
  -- The arrays are in sub-selects, whose length PostgreSQL does not look at: it keeps one plan for
  -- any length, instead of planning each call.
  with given as materialized (
    select
      g.*,
      case
        when g.account_id <> g.from_account_id
          and exists (
            select from accounts a
            where a.id = g.account_id and a.domain is null and a.suspended_at is null and a.deletion_requested_at is null
          )
          and exists (
            select from accounts a
            where a.id = g.from_account_id and a.silenced_at is null
              and not exists (select from account_domain_blocks d where d.account_id = g.account_id and d.domain = a.domain)
          )
          and not exists (select from notification_policies p where p.account_id = g.account_id)
          and not exists (select from blocks b where b.account_id = g.account_id and b.target_account_id = any (parties.ids))
          and not exists (select from mutes m where m.account_id = g.account_id and m.target_account_id = any (parties.ids))
          and not exists (
            select from statuses s
            where s.id = g.status_id and (
              s.visibility = 'direct'
              or exists (
                select from conversation_mutes c
                where c.account_id = g.account_id and c.conversation_id = s.conversation_id
              )
            )
          )
        then 'accept'
        else notification_verdict(g.account_id, g.from_account_id, type, g.status_id)
      end as verdict
    from
      unnest((select recipients), (select originators), (select statuses), (select activities))
      with ordinality g (account_id, from_account_id, status_id, activity_id, place)
    cross join lateral (
      select
        g.from_account_id
        || array(select s.in_reply_to_account_id from statuses s where s.id = g.status_id)
        || array(select m.account_id from mentions m where m.status_id = g.status_id) as ids
      offset 0
    ) parties
    order by g.place
  ), wanted as materialized (
    select g.*, nextval('notifications_id_seq') as id from given g where g.verdict <> 'drop'
  ), stored as (
    insert into notifications as n (id, account_id, from_account_id, type, status_id, activity_id, group_key, filtered)
    overriding system value
    select
      w.id, w.account_id, w.from_account_id, type, w.status_id, w.activity_id,
      case
        when w.verdict = 'filter' then 'ungrouped-' || w.id
        else notification_group(w.account_id, type, w.status_id, w.id)
      end,
      w.verdict = 'filter'
    from wanted w
    on conflict do nothing
    returning n.id, n.account_id, n.from_account_id, n.status_id, n.group_key, n.filtered
  ), made as (
    insert into events as e (kind, account_id, actor_id, status_id, object_id, data)
    select
      'notification.created', s.account_id, s.from_account_id, s.status_id, s.id,
      jsonb_build_object('type', type, 'filtered', s.filtered, 'group_key', s.group_key)
    from stored s
    order by s.id
    returning e.id, event_json(e) as event, (e.data ->> 'filtered')::boolean as filtered
  )
  select coalesce(jsonb_agg(m.event order by m.id), '[]'), coalesce(bool_or(m.filtered), false)
  into logged, some_filtered
  from made m;
  if some_filtered and type in ('mention', 'quote') then
    insert into notification_requests as r (account_id, from_account_id, last_status_id, notifications_count)
    select e.account_id, e.actor_id, max(e.status_id), count(*)
    from jsonb_to_recordset(logged) e (account_id bigint, actor_id bigint, status_id bigint, data jsonb)
    where (e.data ->> 'filtered')::boolean
    group by e.account_id, e.actor_id
    order by e.account_id, e.actor_id
    on conflict (account_id, from_account_id) do update
    -- This transaction may have begun before the one that opened the request, and a request counts
    -- no notifications older than itself.
    set last_status_id = excluded.last_status_id, updated_at = now(), created_at = least(r.created_at, excluded.created_at),
      notifications_count = r.notifications_count + excluded.notifications_count;
  end if;
  return logged;
end
$function$;

CREATE OR REPLACE FUNCTION public.notify_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('events', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.notify_of_received(given jsonb, ids bigint[], made statuses[])
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  logged jsonb := '[]';
  item record;
  named bigint[];
  authors bigint[];
  mentioning bigint[];
  causes bigint[];
  partners bigint[];
  recipients bigint[];
begin
  select
    array_agg(m.account_id order by m.status_id, m.id), array_agg(s.account_id order by m.status_id, m.id),
    array_agg(m.status_id order by m.status_id, m.id), array_agg(m.id order by m.status_id, m.id)
  into named, authors, mentioning, causes
  from unnest(made) s
  cross join lateral jsonb_to_record(given -> (array_position(ids, s.id) - 1)) r (mentioned bigint[], notified boolean)
  join mentions m on m.status_id = s.id and not m.silent
  join accounts a on a.id = m.account_id and a.domain is null
  where r.notified and r.mentioned <> '{}';
  if named is not null then
    logged := notify_all(named, authors, 'mention', mentioning, causes);
  end if;
  for item in
    select
      s.id, s.account_id, s.visibility, s.language, s.conversation_id, r.mentioned, r.notified, r.has_link, r.link,
      r.missing_parent, r.depth,
      -- A fetched one may be years old.
      r.notified and s.created_at > now() - interval '6 hours' and not s.parent_unknown
      and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id) and exists (
        select from follows f where f.target_account_id = s.account_id and f.notify
      ) as awaited
    from unnest(made) s
    cross join lateral jsonb_to_record(given -> (array_position(ids, s.id) - 1)) r (
      mentioned bigint[], notified boolean, has_link boolean, link text, missing_parent text, depth integer
    )
    order by s.id
  loop
    if item.visibility = 'direct' and item.mentioned <> '{}' then
      partners := array(
        select m.account_id
        from mentions m
        join accounts a on a.id = m.account_id
        where m.status_id = item.id and a.domain is null and not m.silent
          -- Late ones notify nobody, but enter the conversations of those who would be notified.
          and case
            when item.notified then exists (
              select
              from jsonb_to_recordset(logged) e (kind text, account_id bigint, status_id bigint, data jsonb)
              where e.kind = 'notification.created' and e.account_id = m.account_id and e.status_id = item.id
                and e.data ->> 'type' = 'mention' and not (e.data ->> 'filtered')::boolean
            )
            else notification_verdict(m.account_id, item.account_id, 'mention', item.id) = 'accept'
          end
        order by m.account_id
      );
      select logged || coalesce(jsonb_agg(e.result), '[]') into logged
      from unnest(partners) partner (account_id)
      cross join lateral (
        select enter_conversation(partner.account_id, item.conversation_id, item.id, item.mentioned || item.account_id, true)
          as result
      ) e;
    end if;
    if item.awaited then
      recipients := array(select f.account_id from follows f where f.target_account_id = item.account_id and f.notify limit 101);
      if cardinality(recipients) > 100 then
        perform enqueue('statuses.notify', json_build_object('status_id', item.id::text, 'type', 'status'));
      else
        recipients := array(
          select f.account_id from follows f
          where f.target_account_id = item.account_id and f.notify
            and wants_post_notification(f, item.language, item.visibility, item.mentioned)
        );
        causes := array_fill(item.id, array[cardinality(recipients)]);
        logged := logged
          || notify_all(recipients, array_fill(item.account_id, array[cardinality(recipients)]), 'status', causes, causes);
      end if;
    end if;
    if item.has_link then
      perform enqueue_preview(item.id, item.link);
    end if;
    if item.missing_parent is not null then
      perform enqueue(
        'federation.fetch_parent', json_build_object('status_id', item.id::text, 'uri', item.missing_parent, 'depth', item.depth),
        attempts => 4, priority => 20, queue_name => fetch_queue(item.missing_parent)
      );
    end if;
  end loop;
  return logged;
end
$function$;

CREATE OR REPLACE FUNCTION public.offers_email_subscriptions(account bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select from users u
    join accounts a on a.id = u.account_id
    where u.account_id = account and u.email_subscriptions and u.approved and u.confirmed_at is not null
      and a.suspended_at is null and a.deletion_requested_at is null and not a.memorial
      and has_permission(account_permissions(account), 'manage_email_subscriptions')
  )
$function$;

CREATE OR REPLACE FUNCTION public.oldest_activities(lane integer, amount integer)
 RETURNS SETOF received_activities
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtext('received_activities'));
  return query
    select r.* from received_activities r where r.lane = oldest_activities.lane order by r.id limit oldest_activities.amount;
end
$function$;

CREATE OR REPLACE FUNCTION public.outranks(actor bigint, target bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select
    from users u
    join roles own on own.id = coalesce(u.role_id, -99)
    where u.account_id = actor and not exists (
      select
      from users other
      join roles above on above.id = coalesce(other.role_id, -99)
      where other.account_id = target and above.position >= own.position
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.permission(name text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE name WHEN 'administrator'::text THEN 1 WHEN 'view_devops'::text THEN 2 WHEN 'view_audit_log'::text THEN 4 WHEN 'view_dashboard'::text THEN 8 WHEN 'manage_reports'::text THEN 16 WHEN 'manage_federation'::text THEN 32 WHEN 'manage_settings'::text THEN 64 WHEN 'manage_blocks'::text THEN 128 WHEN 'manage_taxonomies'::text THEN 256 WHEN 'manage_appeals'::text THEN 512 WHEN 'manage_users'::text THEN 1024 WHEN 'manage_invites'::text THEN 2048 WHEN 'manage_rules'::text THEN 4096 WHEN 'manage_announcements'::text THEN 8192 WHEN 'manage_custom_emojis'::text THEN 16384 WHEN 'manage_webhooks'::text THEN 32768 WHEN 'invite_users'::text THEN 65536 WHEN 'manage_roles'::text THEN 131072 WHEN 'manage_user_access'::text THEN 262144 WHEN 'delete_user_data'::text THEN 524288 WHEN 'view_feeds'::text THEN 1048576 WHEN 'invite_bypass_approval'::text THEN 2097152 WHEN 'manage_email_subscriptions'::text THEN 4194304 ELSE NULL::integer END;

CREATE OR REPLACE FUNCTION public.poll_json(poll polls, server text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'id', poll.id::text, 'options', poll.options, 'tallies', poll.tallies, 'voters_count', poll.voters_count,
    'multiple', poll.multiple, 'hide_totals', poll.hide_totals,
    'expires_at_ms', floor(extract(epoch from poll.expires_at) * 1000)::bigint,
    'emojis', case
      when array_to_string(poll.options, ' ') like '%:%:%' then emojis_in(array_to_string(poll.options, ' '), server)
    end
  )
$function$;

CREATE OR REPLACE FUNCTION public.post_status(author bigint, text text, content text, spoiler_text text, visibility visibility, sensitive boolean, language text, in_reply_to bigint, in_reply_to_account bigint, conversation bigint, application bigint, quote_policy text, mentioned bigint[], tag_ids bigint[], tag_names text[], media bigint[], idempotency_key text, scheduled bigint, has_link boolean, linked_collections bigint[])
 RETURNS TABLE(id bigint, created_at timestamp with time zone, conversation_id bigint, events jsonb)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_variable
declare
  locked integer;
  event jsonb;
  silenced boolean;
  recipients bigint[];
  named bigint[];
  causes bigint[];
  notified jsonb;
  partners bigint[] := array[author];
  partner bigint;
  counted bigint;
  counted_at timestamptz;
  setting text;
begin
  id := snowflake();
  created_at := now();
  conversation_id := conversation;
  events := '[]';
  -- Assigned and not performed: an expression needs no executor.
  setting := set_config('millrace.defer_notify', 'on', true);
  setting := set_config('millrace.counted', 'on', true);

  if media <> '{}' then
    perform from media_attachments m
    where m.id = any (media) and m.account_id = author and m.status_id is null
      and m.scheduled_status_id is not distinct from scheduled
    order by m.id
    for update;
    get diagnostics locked = row_count;
    if locked <> cardinality(media) then
      return;
    end if;
  end if;

  -- A deletion of the parent waits for its reply, or the reply is refused.
  if in_reply_to is not null then
    perform from statuses p where p.id = in_reply_to and p.deleted_at is null for share;
    if not found then
      raise exception 'the parent was deleted'
        using errcode = 'foreign_key_violation', constraint = 'statuses_in_reply_to_id_fkey';
    end if;
  end if;

  if idempotency_key is not null then
    insert into idempotency_keys as k (account_id, key, status_id)
    values (author, idempotency_key, id)
    on conflict (account_id, key) do update set status_id = excluded.status_id, scheduled_status_id = null, created_at = now()
    where k.created_at < now() - interval '1 hour';
    if not found then
      return;
    end if;
  end if;

  -- Of the followers who want a notification, if this is no reply to somebody else.
  select
    a.silenced_at is not null,
    array(
      select f.account_id from follows f
      where f.target_account_id = author and f.notify and (in_reply_to is null or in_reply_to_account = author)
      limit 101
    )
  into silenced, recipients
  from accounts a where a.id = author;
  if conversation is null then
    conversation_id := snowflake();
    insert into conversations (id) values (conversation_id);
  end if;
  insert into statuses (
    id, account_id, text, content, spoiler_text, visibility, sensitive, language, in_reply_to_id, in_reply_to_account_id,
    conversation_id, application_id, media_attachment_ids, quote_approval_policy
  )
  values (
    id, author, text, content, spoiler_text, visibility, sensitive, language, in_reply_to, in_reply_to_account,
    conversation_id, application, media, quote_policy
  );
  update day_counters c set amount = c.amount + 1
  where c.counter = 'statuses' and c.day = snowflake_day(id) and c.domain = '' and c.detail = '' and c.slot = pg_backend_pid();
  if not found then
    perform count_by_day('statuses', snowflake_day(id), 1);
  end if;
  if in_reply_to_account <> author then
    perform count_by_day('interactions', snowflake_day(id), 1);
  end if;

  if media <> '{}' then
    update media_attachments m set status_id = id, scheduled_status_id = null where m.id = any (media);
  end if;
  if linked_collections <> '{}' then
    insert into status_collections (status_id, collection_id)
    select id, c.id from visible_collections(author) c where c.id = any (linked_collections);
  end if;
  if tag_ids <> '{}' then
    insert into status_tags (tag_id, status_id) select given.tag_id, id from unnest(tag_ids) given (tag_id);
    update tags t set last_status_at = now()
    where t.id = any (array(
      select old.id from tags old
      where old.id = any ((select tag_ids)::bigint[])
        and (old.last_status_at is null or old.last_status_at < now() - interval '1 hour')
      for update skip locked
    ));
  end if;
  if mentioned <> '{}' then
    with added as (
      insert into mentions as m (status_id, account_id)
      select id, given.account_id from unnest(mentioned) with ordinality given (account_id, place) order by given.place
      returning m.id, m.account_id
    )
    select array_agg(a.account_id order by a.id), array_agg(a.id order by a.id) into named, causes from added a;
  end if;

  if visibility <> 'direct' then
    -- The time is later than that of the status before it: readers of the event know by it whether
    -- they have the counts already.
    insert into account_stats as c (account_id, statuses_count, last_status_at)
    values (author, 1, clock_timestamp())
    on conflict (account_id) do update
      set statuses_count = c.statuses_count + 1,
        last_status_at = greatest(clock_timestamp(), c.last_status_at + interval '1 microsecond')
    returning c.statuses_count, c.last_status_at into counted, counted_at;
  end if;
  insert into events as logged (kind, actor_id, status_id, data)
  values (
    'status.created', author, id,
    new_status_facts(
      silenced, visibility, language, in_reply_to, in_reply_to_account, conversation_id, mentioned, tag_names, media,
      counted, counted_at
    )
  )
  returning event_json(logged) into event;
  events := events || event;
  if in_reply_to is not null and visibility in ('public', 'unlisted') then
    insert into status_stats as c (status_id, replies_count)
    values (in_reply_to, 1)
    on conflict (status_id) do update set replies_count = c.replies_count + 1;
    insert into events as logged (kind, actor_id, status_id, data)
    values ('status.counted', author, in_reply_to, '{}')
    returning event_json(logged) into event;
    events := events || event;
  end if;

  if mentioned <> '{}' then
    notified := notify_all(
      named, array_fill(author, array[cardinality(named)]), 'mention', array_fill(id, array[cardinality(named)]), causes
    );
    events := events || notified;
  end if;
  if cardinality(recipients) > 100 then
    perform enqueue('statuses.notify', json_build_object('status_id', id::text, 'type', 'status'));
  elsif recipients <> '{}' then
    recipients := array(
      select f.account_id from follows f
      where f.target_account_id = author and f.notify and wants_post_notification(f, language, visibility, mentioned)
    );
    causes := array_fill(id, array[cardinality(recipients)]);
    events := events || notify_all(recipients, array_fill(author, array[cardinality(recipients)]), 'status', causes, causes);
  end if;
  if has_link then
    perform enqueue_preview(id);
  end if;
  if visibility = 'direct' then
    partners := partners || array(
      select (e.event ->> 'account_id')::bigint
      from jsonb_array_elements(notified) e (event)
      where not (e.event -> 'data' ->> 'filtered')::boolean
    );
    -- In the order of their ids: people who write to each other at once lock each other's entries.
    foreach partner in array array(select distinct p from unnest(partners) p order by p) loop
      events := events || enter_conversation(partner, conversation_id, id, mentioned || author, partner <> author);
    end loop;
  end if;
  -- For other rows of the transaction the triggers notify and count.
  setting := set_config('millrace.counted', '', true);
  setting := set_config('millrace.defer_notify', '', true);
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION public.profile_statuses(viewer bigint, author bigint, exclude_replies boolean, exclude_reblogs boolean, exclude_direct boolean, only_media boolean)
 RETURNS SETOF statuses
 LANGUAGE sql
 STABLE ROWS 100
AS $function$
  select s.*
  from visible_statuses(viewer) s
  where s.account_id = author
    and not exists (select from blocks b where b.account_id = author and b.target_account_id = viewer)
    and (not exclude_replies or s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
    and not (exclude_replies and s.parent_unknown)
    and (not exclude_reblogs or s.reblog_of_id is null)
    and (not exclude_direct or s.visibility <> 'direct')
    and (not only_media or s.media_attachment_ids <> '{}')
    and (
      s.reblog_of_id is null
      or exists (
        select
        from visible_statuses(viewer) o
        join wanted_accounts(viewer) a on a.id = o.account_id
        where o.id = s.reblog_of_id
      )
    )
$function$;

CREATE OR REPLACE FUNCTION public.purge_email_subscriptions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from email_subscriptions s where s.account_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.ranks_as_staff(originator bigint, recipient bigint)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (
    select
    from users u
    join roles r on r.id = u.role_id
    where u.account_id = originator and r.highlighted and (r.permissions & (
        permission('administrator') | permission('view_audit_log') | permission('view_dashboard') | permission('manage_reports')
        | permission('manage_federation') | permission('manage_blocks') | permission('manage_taxonomies')
        | permission('manage_appeals') | permission('manage_users') | permission('manage_invites')
        | permission('manage_user_access') | permission('delete_user_data') | permission('view_feeds')
      )) <> 0
      and r.position > coalesce(
        (select other.position from users own join roles other on other.id = coalesce(own.role_id, -99) where own.account_id = recipient),
        -1
      )
  )
$function$;

CREATE OR REPLACE FUNCTION public.reachable_inboxes()
 RETURNS TABLE(account_id bigint, domain text, inbox text)
 LANGUAGE sql
 STABLE
AS $function$
  select a.id, a.domain, coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url)
  from accounts a
  where a.inbox_url <> '' and a.suspended_at is null
    and not exists (
      select from delivery_hosts h where h.host = substring(a.inbox_url from '^https?://([^/?#]+)') and h.unavailable_since is not null
    )
$function$;

CREATE OR REPLACE FUNCTION public.receive_boosts(given jsonb)
 RETURNS TABLE(place integer, id bigint, events jsonb)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  made statuses[];
  logged jsonb;
  more jsonb;
  setting text;
begin
  setting := set_config('millrace.receiving', 'on', true);
  setting := set_config('millrace.defer_notify', 'on', true);
  setting := set_config('millrace.counted', 'on', true);
  perform
  from statuses o
  where o.id = any (array(select r.status from jsonb_to_recordset(given) r (status bigint)))
  order by o.id
  for share;
  with g as materialized (
    select r.*, o.id as original, o.visibility as original_visibility
    from jsonb_to_recordset(given) r (actor bigint, status bigint, uri text, visibility visibility, published timestamptz)
    cross join lateral (
      select v.id, v.visibility from visible_statuses(r.actor) v
      where v.id = r.status and v.reblog_of_id is null
        and (v.visibility in ('public', 'unlisted') or (v.visibility = 'private' and v.account_id = r.actor))
    ) o
    where not exists (select from tombstones t where t.uri = r.uri and t.created_at > now() - interval '6 hours')
      and not exists (
        select from author_tombstones t
        where t.uri = r.uri and t.author_id = r.actor and t.created_at > now() - interval '6 hours'
      )
  ), boosted as (
    insert into statuses as s (id, account_id, local, uri, visibility, reblog_of_id, created_at)
    select
      snowflake_at(least(g.published, now())), g.actor, false, g.uri,
      case when g.original_visibility = 'private' then g.original_visibility else g.visibility end, g.original,
      least(g.published, now())
    from g
    on conflict do nothing
    returning s.id, s as row
  )
  select array_agg(boosted.row order by boosted.id) into made from boosted;
  if made is null then
    setting := set_config('millrace.defer_notify', '', true);
    setting := set_config('millrace.counted', '', true);
    return;
  end if;

  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select 'statuses', snowflake_day(s.id), a.domain, '', pg_backend_pid(), count(*)
  from unnest(made) s
  join accounts a on a.id = s.account_id
  group by 2, 3
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  insert into account_stats as c (account_id, statuses_count, last_status_at)
  select s.account_id, count(*), max(s.created_at) from unnest(made) s group by s.account_id order by s.account_id
  on conflict (account_id) do update
    set statuses_count = c.statuses_count + excluded.statuses_count,
      last_status_at = greatest(c.last_status_at, excluded.last_status_at);
  insert into status_stats as c (status_id, reblogs_count)
  select s.reblog_of_id, count(*) from unnest(made) s group by s.reblog_of_id order by s.reblog_of_id
  on conflict (status_id) do update set reblogs_count = c.reblogs_count + excluded.reblogs_count;
  with boost as materialized (
    select m.id, m.account_id, m.reblog_of_id, m::statuses as row from unnest(made) m
  ), noted as (
    insert into events as e (kind, actor_id, status_id, data)
    select 'status.created', b.account_id, b.id, status_facts(b.row, '{}', '{}', '{}') from boost b
    union all
    select 'status.counted', b.account_id, b.reblog_of_id, '{}' from boost b
    returning event_json(e) as event
  )
  select jsonb_agg(noted.event) into logged from noted;
  select
    notify_all(
      array_agg(o.account_id order by s.id), array_agg(s.account_id order by s.id), 'reblog', array_agg(o.id order by s.id),
      array_agg(s.id order by s.id)
    )
  into more
  from unnest(made) s
  join jsonb_to_recordset(given) r (uri text, notified boolean) on r.uri = s.uri and r.notified
  join statuses o on o.id = s.reblog_of_id
  join accounts b on b.id = s.account_id
  -- A group boosts all posts of its members.
  where b.actor_type <> 'Group'
    or not exists (select from follows f where f.account_id = o.account_id and f.target_account_id = b.id);

  -- For other rows of the transaction the triggers notify and count.
  setting := set_config('millrace.defer_notify', '', true);
  setting := set_config('millrace.counted', '', true);
  return query
    select g.place::integer, s.id, case when s.turn = 1 then logged || coalesce(more, '[]') end
    from (select m.id, m.uri, row_number() over (order by m.id) as turn from unnest(made) m) s
    join rows from (jsonb_to_recordset(given) as (uri text)) with ordinality g (uri, place) on g.uri = s.uri;
end
$function$;

CREATE OR REPLACE FUNCTION public.receive_edit(status bigint, author bigint, content text, spoiler_text text, sensitive boolean, language text, updated timestamp with time zone, mentioned bigint[], tags text[], display_tags text[], media jsonb, poll jsonb, quote_policy text, has_link boolean, link text DEFAULT NULL::text)
 RETURNS TABLE(edited boolean, poll_id bigint, events jsonb)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_variable
declare
  old statuses;
  made statuses;
  old_poll polls;
  event jsonb;
  notified jsonb;
  media_ids bigint[];
  options text[] := array(select jsonb_array_elements_text(poll -> 'options'));
  tallies integer[] := array(select jsonb_array_elements_text(poll -> 'tallies'))::integer[];
  is_closed boolean := poll ->> 'ended_at' is not null;
  ends_at timestamptz := (poll ->> 'expires_at')::timestamptz;
  reopens boolean;
  recipients bigint[];
  causes bigint[];
  removed_tags text[];
  is_relinked boolean;
begin
  events := '[]';
  select s.* into old from statuses s
  where s.id = status and s.account_id = author and not s.local and s.deleted_at is null and s.reblog_of_id is null
  for update;
  if not found then
    return;
  end if;
  select p.* into old_poll from polls p where p.status_id = status for no key update;
  edited := updated is not null and updated > coalesce(old.edited_at, old.created_at) and (
    (old.content, old.spoiler_text, old.sensitive, old.language) is distinct from (content, spoiler_text, sensitive, language)
    or (old_poll.id is null) <> (poll is null)
    or old_poll.options is distinct from case when poll is null then null else options end
    or array(
      select row (m.remote_url, m.description)::text
      from unnest(old.media_attachment_ids) with ordinality i (id, place) join media_attachments m on m.id = i.id
      order by i.place
    ) <> array(
      select row (m.item ->> 'remote_url', m.item ->> 'description')::text
      from jsonb_array_elements(media) with ordinality m (item, place) order by m.place
    )
  );

  is_relinked := has_link and link is not null and updated > coalesce(old.edited_at, old.created_at) and (
    exists (select from preview_cards_statuses p where p.status_id = status and p.url <> link)
    -- The job for an earlier link has not ended.
    or exists (select from graphile_worker.jobs j where j.key = 'preview_cards.attach:' || status)
  );

  if is_closed and old_poll.expires_at <= now() then
    ends_at := least(ends_at, old_poll.expires_at);
  end if;
  reopens := old_poll.ended_at is not null and not is_closed and coalesce(ends_at > now(), true);
  if old_poll.id is not null and poll is not null and old_poll.options = options and (
    (old_poll.tallies, old_poll.voters_count, old_poll.expires_at) is distinct from (tallies, (poll ->> 'voters')::integer, ends_at)
    or (old_poll.ended_at is null and is_closed)
  ) then
    update polls p set
      tallies = tallies, voters_count = (poll ->> 'voters')::integer, expires_at = ends_at,
      ended_at = case when not reopens then p.ended_at end
    where p.id = old_poll.id;
    if reopens then
      events := events || withdraw_poll_notifications(old_poll.id, author);
    end if;
    if old_poll.ended_at is null or old_poll.expires_at > now() or not is_closed then
      poll_id := old_poll.id;
    end if;
    insert into events as logged (kind, actor_id, status_id, object_id)
    values ('status.counted', author, status, old_poll.id)
    returning event_json(logged) into event;
    events := events || event;
  end if;
  if not edited then
    if old.quote_approval_policy <> quote_policy then
      update statuses s set quote_approval_policy = quote_policy where s.id = status returning s.* into made;
      insert into events as logged (kind, actor_id, status_id, data)
      values ('status.updated', author, status, status_facts(made) || '{"reason": "quote_policy"}')
      returning event_json(logged) into event;
      events := events || event;
    end if;
    if is_relinked then
      perform enqueue_preview(status, link);
    end if;
    return next;
    return;
  end if;

  with given as (
    select
      coalesce(
        (select m.id from media_attachments m where m.status_id = status and m.remote_url = g.item ->> 'remote_url' order by m.id limit 1),
        snowflake()
      ) as id,
      g.place, g.item
    from jsonb_array_elements(media) with ordinality g (item, place)
  ), stored as (
    insert into media_attachments as a (id, account_id, status_id, type, remote_url, preview_remote_url, description, blurhash, meta)
    select
      given.id, author, status, given.item ->> 'type', given.item ->> 'remote_url', given.item ->> 'preview_remote_url',
      given.item ->> 'description', given.item ->> 'blurhash', given.item -> 'meta'
    from given
    on conflict (id) do update
      set
        preview_remote_url = excluded.preview_remote_url, description = excluded.description, blurhash = excluded.blurhash,
        meta = excluded.meta,
        -- That of the copy is kept.
        type = case when a.type = 'unknown' then excluded.type else a.type end
  )
  select coalesce(array_agg(given.id order by given.place), '{}') into media_ids from given;
  -- A status that was first seen after an edit has no versions either.
  if not exists (select from status_edits e where e.status_id = status) then
    insert into status_edits (status_id, account_id, text, content, spoiler_text, sensitive, details, created_at)
    values (
      status, author, '', old.content, old.spoiler_text, old.sensitive,
      jsonb_build_object('media', array(
        select jsonb_build_object('id', m.id::text, 'description', m.description)
        from unnest(old.media_attachment_ids) with ordinality i (id, place) join media_attachments m on m.id = i.id
        order by i.place
      )) || case when old_poll.id is null then '{}' else jsonb_build_object('poll', old_poll.options) end,
      coalesce(old.edited_at, old.created_at)
    );
  end if;
  insert into status_edits (status_id, account_id, text, content, spoiler_text, sensitive, details, created_at)
  values (
    status, author, '', content, spoiler_text, sensitive,
    jsonb_build_object('media', array(
      select jsonb_build_object('id', m.id::text, 'description', m.description)
      from unnest(media_ids) with ordinality i (id, place) join media_attachments m on m.id = i.id
      order by i.place
    )) || case when poll is null then '{}' else jsonb_build_object('poll', options) end,
    least(updated, now())
  );

  if old_poll.id is not null and (poll is null or old_poll.options <> options) then
    events := events || withdraw_poll_notifications(old_poll.id, author);
    delete from polls p where p.id = old_poll.id;
  end if;
  if poll is not null and (old_poll.id is null or old_poll.options <> options) then
    insert into polls as p (status_id, options, tallies, voters_count, multiple, hide_totals, expires_at, ended_at)
    values (
      status, options, tallies, (poll ->> 'voters')::integer, (poll ->> 'multiple')::boolean, false,
      ends_at, (poll ->> 'ended_at')::timestamptz
    )
    returning case when not is_closed then p.id end into poll_id;
  end if;
  with removed as (
    delete from status_tags x using tags t where x.status_id = status and t.id = x.tag_id and t.name <> all (tags)
    returning t.name
  )
  select coalesce(array_agg(removed.name), '{}') into removed_tags from removed;
  insert into tags as t (name, display_name)
  select given.name, given.display_name from unnest(tags, display_tags) given (name, display_name) order by given.name
  on conflict (name) do nothing;
  insert into status_tags (tag_id, status_id) select t.id, status from tags t where t.name = any (tags) on conflict do nothing;
  update mentions m set silent = true where m.status_id = status and not m.silent and m.account_id <> all (mentioned);
  if old.content <> content or old.media_attachment_ids <> media_ids or is_relinked then
    delete from preview_cards_statuses p where p.status_id = status;
    if has_link then
      perform enqueue_preview(status, link);
    else
      perform graphile_worker.remove_job('preview_cards.attach:' || status);
    end if;
  end if;
  update statuses s set
    content = receive_edit.content, spoiler_text = receive_edit.spoiler_text, sensitive = receive_edit.sensitive,
    language = receive_edit.language, quote_approval_policy = quote_policy, media_attachment_ids = media_ids,
    edited_at = least(updated, now())
  where s.id = status
  returning s.* into made;
  insert into events as logged (kind, actor_id, status_id, data)
  values (
    'status.updated', author, status,
    status_facts(
      made, mentioned,
      array(select m.account_id from mentions m where m.status_id = status and m.account_id <> all (mentioned)), tags
    ) || jsonb_build_object('removed_tags', removed_tags)
  )
  returning event_json(logged) into event;
  events := events || event;
  with named as (
    insert into mentions as m (status_id, account_id)
    select status, given.account_id from unnest(mentioned) with ordinality given (account_id, place) order by given.place
    on conflict (status_id, account_id) do update set silent = false where m.silent
    returning m.id, m.account_id
  )
  select array_agg(n.account_id order by n.id), array_agg(n.id order by n.id) into recipients, causes from named n;
  -- Edits of an account that is suspended here are stored too, but it reaches nobody by them.
  if recipients is not null and exists (select from accounts a where a.id = author and a.suspended_at is null) then
    notified := notify_all(
      recipients, array_fill(author, array[cardinality(recipients)]), 'mention', array_fill(status, array[cardinality(recipients)]),
      causes
    );
    events := events || notified;
    if made.visibility = 'direct' then
      -- In the order of their ids, as post_status locks the entries.
      select events || coalesce(jsonb_agg(e.result), '[]') into events
      from (
        select n.account_id
        from jsonb_to_recordset(notified) n (account_id bigint, data jsonb)
        where not (n.data ->> 'filtered')::boolean
        order by n.account_id
      ) partner
      cross join lateral (
        select enter_conversation(partner.account_id, made.conversation_id, status, mentioned || author, true) as result
      ) e;
    end if;
  end if;
  if exists (select from statuses b where b.reblog_of_id = status and b.deleted_at is null and b.local) then
    perform enqueue('statuses.notify', json_build_object('status_id', status::text, 'type', 'update'));
  end if;
  if exists (select from quotes q where q.quoted_status_id = status and q.state = 'accepted') then
    perform enqueue('statuses.notify', json_build_object('status_id', status::text, 'type', 'quoted_update'));
  end if;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION public.receive_statuses(given jsonb)
 RETURNS TABLE(place integer, id bigint, poll_id bigint, events jsonb)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
declare
  -- Of all that are given, by place.
  ids bigint[];
  -- Those that are stored, and their places.
  made statuses[];
  places integer[];
  -- The ids of attachments by place, and all of them.
  attachments jsonb := '{}';
  files bigint[] := '{}';
  added bigint[];
  -- The ids of polls by place.
  polls_made bigint[];
  logged jsonb := '[]';
  poll bigint;
  item record;
  setting text;
begin
  setting := set_config('millrace.receiving', 'on', true);
  setting := set_config('millrace.defer_notify', 'on', true);
  setting := set_config('millrace.counted', 'on', true);
  -- Waits for deletions of the same URIs, which wait for this (lock_uris): the next statements see
  -- their tombstones, and they see these statuses.
  perform pg_advisory_xact_lock(hashtext('status_uri'), key.hash)
  from (
    select distinct hashtext(g.uri) as hash from jsonb_to_recordset(given) as g (uri text) order by hash
  ) key;
  select array_agg(snowflake_at(least(g.published, now())) order by g.place) into ids
  from rows from (jsonb_to_recordset(given) as (published timestamptz)) with ordinality g (published, place);

  if jsonb_path_exists(given, '$[*].media[*]') then
    for item in
      select g.place, g.author, g.media
      from rows from (jsonb_to_recordset(given) as (author bigint, media jsonb)) with ordinality g (author, media, place)
      where g.media <> '[]'
    loop
      with file as (
        select snowflake() as id, m.place, m.item from jsonb_array_elements(item.media) with ordinality m (item, place)
      ), stored as (
        insert into media_attachments as a (id, account_id, type, remote_url, preview_remote_url, description, blurhash, meta)
        select
          f.id, item.author, f.item ->> 'type', f.item ->> 'remote_url', f.item ->> 'preview_remote_url',
          f.item ->> 'description', f.item ->> 'blurhash', f.item -> 'meta'
        from file f
        returning a.id
      )
      select array_agg(f.id order by f.place) into added from file f join stored on stored.id = f.id;
      attachments := attachments || jsonb_build_object(item.place::text, added::text[]);
      files := files || added;
    end loop;
  end if;

  with g as materialized (
    select
      r.*, ids[r.place] as id, p.id as answered, p.account_id as answered_account,
      p.in_reply_to_account_id as answered_before, p.conversation_id as thread,
      case when p.conversation_id is null and r.conversation is null then snowflake() end as new_thread
    from
      rows from (
        jsonb_to_recordset(given) as (
          author bigint, uri text, page text, content text, spoiler_text text, visibility visibility, sensitive boolean,
          language text, published timestamptz, edited timestamptz, parent bigint, parent_unknown boolean, quote_policy text,
          conversation text
        )
      ) with ordinality r (
        author, uri, page, content, spoiler_text, visibility, sensitive,
        language, published, edited, parent, parent_unknown, quote_policy, conversation, place
      )
    left join statuses p on p.id = r.parent and p.deleted_at is null
    where not exists (select from statuses s where s.uri = r.uri)
      and not exists (select from tombstones t where t.uri = r.uri and (t.kept or t.created_at > now() - interval '6 hours'))
      and not exists (
        select from author_tombstones t
        where t.uri = r.uri and t.author_id = r.author and t.created_at > now() - interval '6 hours'
      )
  ), named as (
    insert into conversations as c (uri)
    select distinct g.conversation from g where g.thread is null and g.conversation is not null order by g.conversation
    on conflict (uri) where uri is not null do update set uri = excluded.uri
    returning c.id, c.uri
  ), threads as (
    insert into conversations (id) select g.new_thread from g where g.new_thread is not null
  ), stored as (
    insert into statuses as s (
      id, account_id, local, uri, url, content, spoiler_text, visibility, sensitive, language, in_reply_to_id,
      in_reply_to_account_id, parent_unknown, conversation_id, media_attachment_ids, quote_approval_policy, created_at,
      edited_at
    )
    select
      g.id, g.author, false, g.uri, g.page, g.content, g.spoiler_text, g.visibility, g.sensitive, g.language, g.answered,
      case when g.answered_account = g.author then coalesce(g.answered_before, g.author) else g.answered_account end,
      g.answered is null and (coalesce(g.parent_unknown, false) or g.parent is not null),
      coalesce(g.thread, g.new_thread, named.id),
      array(select jsonb_array_elements_text(attachments -> g.place::text))::bigint[], g.quote_policy,
      least(g.published, now()), case when g.edited is not null then least(g.edited, now()) end
    from g
    left join named on g.thread is null and named.uri = g.conversation
    order by g.place
    on conflict do nothing
    returning s.id, s as row
  )
  select array_agg(stored.row order by stored.id), array_agg(array_position(ids, stored.id) order by stored.id) into made, places
  from stored;

  if files <> '{}' then
    update media_attachments m set status_id = s.id from unnest(made) s where m.id = any (s.media_attachment_ids);
    delete from media_attachments m where m.id = any (files) and m.status_id is null;
  end if;
  if made is null then
    setting := set_config('millrace.defer_notify', '', true);
    setting := set_config('millrace.counted', '', true);
    return;
  end if;

  if jsonb_path_exists(given, '$[*].tags[*]') then
    insert into tags as t (name, display_name)
    select distinct on (n.name) n.name, n.display_name
    from unnest(places) p (place)
    cross join lateral jsonb_to_record(given -> (p.place - 1)) r (tags text[], display_tags text[])
    cross join lateral unnest(r.tags, r.display_tags) n (name, display_name)
    order by n.name, p.place
    on conflict (name) do nothing;
    insert into status_tags (tag_id, status_id)
    select t.id, ids[p.place]
    from unnest(places) p (place)
    cross join lateral jsonb_to_record(given -> (p.place - 1)) r (tags text[])
    join tags t on t.name = any (r.tags);
    update tags t set last_status_at = now()
    where t.id in (
      select old.id
      from tags old
      where old.id in (select x.tag_id from status_tags x where x.status_id = any (ids))
        and (old.last_status_at is null or old.last_status_at < now() - interval '1 hour')
      for update skip locked
    );
  end if;
  if jsonb_path_exists(given, '$[*].mentioned[*]') or jsonb_path_exists(given, '$[*].silent[*]') then
    insert into mentions (status_id, account_id, silent)
    select ids[p.place], n.account_id, n.silent
    from unnest(places) p (place)
    cross join lateral jsonb_to_record(given -> (p.place - 1)) r (mentioned bigint[], silent bigint[])
    cross join lateral (
      select m.account_id, false as silent, m.place from unnest(r.mentioned) with ordinality m (account_id, place)
      union all
      select m.account_id, true, 1000 + m.place from unnest(r.silent) with ordinality m (account_id, place)
    ) n
    order by p.place, n.place
    on conflict do nothing;
  end if;
  if jsonb_path_exists(given, '$[*].poll.options') then
    for item in
      select p.place, r.poll
      from unnest(places) p (place)
      cross join lateral jsonb_to_record(given -> (p.place - 1)) r (poll jsonb)
      where jsonb_typeof(r.poll) = 'object'
    loop
      insert into polls as k (status_id, options, tallies, voters_count, multiple, hide_totals, expires_at, ended_at)
      select
        ids[item.place], array(select jsonb_array_elements_text(item.poll -> 'options')),
        array(select jsonb_array_elements_text(item.poll -> 'tallies'))::integer[], (item.poll ->> 'voters')::integer,
        (item.poll ->> 'multiple')::boolean, false, (item.poll ->> 'expires_at')::timestamptz,
        (item.poll ->> 'ended_at')::timestamptz
      returning k.id into poll;
      polls_made[item.place] := poll;
    end loop;
  end if;

  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select k.counter, snowflake_day(s.id), a.domain, k.detail, pg_backend_pid(), count(*)
  from unnest(made) s
  join accounts a on a.id = s.account_id
  cross join lateral (
    values ('statuses'::day_counter, ''), ('languages'::day_counter, coalesce(s.language, ''))
  ) k (counter, detail)
  group by 1, 2, 3, 4
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  with counted as (
    insert into account_stats as c (account_id, statuses_count, last_status_at)
    select s.account_id, count(*), max(s.created_at) from unnest(made) s where s.visibility <> 'direct'
    group by s.account_id order by s.account_id
    on conflict (account_id) do update
      set statuses_count = c.statuses_count + excluded.statuses_count,
        last_status_at = greatest(excluded.last_status_at, c.last_status_at + interval '1 microsecond')
    returning c.account_id, greatest(least(c.statuses_count + c.statuses_elsewhere, 2147483647), 0) as statuses_count, c.last_status_at
  ), created as (
    insert into events as e (kind, actor_id, status_id, data)
    select
      'status.created', s.account_id, s.id,
      status_facts(s.row, r.mentioned, r.silent, r.tags) || jsonb_build_object(
        'author_counts',
        case when c.account_id is not null and s.visibility <> 'direct' then
          jsonb_build_object('statuses', c.statuses_count, 'last_status_us', (extract(epoch from c.last_status_at) * 1000000)::bigint)
        end
      )
    from (select m.id, m.account_id, m.visibility, m::statuses as row from unnest(made) m) s
    cross join lateral jsonb_to_record(given -> (array_position(ids, s.id) - 1)) r (
      mentioned bigint[], silent bigint[], tags text[]
    )
    left join counted c on c.account_id = s.account_id
    order by s.id
    returning event_json(e) as event
  )
  select jsonb_agg(created.event) into logged from created;

  if jsonb_path_exists(given, '$[*] ? (@.likes > 0 || @.shares > 0)') then
    insert into status_stats (status_id, favourites_elsewhere, reblogs_elsewhere)
    select ids[p.place], coalesce(r.likes, 0), coalesce(r.shares, 0)
    from unnest(places) p (place)
    cross join lateral jsonb_to_record(given -> (p.place - 1)) r (likes integer, shares integer)
    where r.likes > 0 or r.shares > 0;
  end if;
  if exists (select from unnest(made) s where s.in_reply_to_id is not null) then
    with answer as materialized (
      select s.account_id, s.in_reply_to_id from unnest(made) s
      where s.in_reply_to_id is not null and s.visibility in ('public', 'unlisted')
    ), counted as (
      insert into status_stats as c (status_id, replies_count)
      select a.in_reply_to_id, count(*) from answer a group by a.in_reply_to_id order by a.in_reply_to_id
      on conflict (status_id) do update set replies_count = c.replies_count + excluded.replies_count
    ), noted as (
      insert into events as e (kind, actor_id, status_id, data)
      select 'status.counted', a.account_id, a.in_reply_to_id, '{}' from answer a
      returning event_json(e) as event
    )
    select logged || coalesce(jsonb_agg(noted.event), '[]') into logged from noted;
  end if;
  logged := logged || notify_of_received(given, ids, made);

  -- For other rows of the transaction the triggers notify and count.
  setting := set_config('millrace.defer_notify', '', true);
  setting := set_config('millrace.counted', '', true);
  return query
    select p.place, ids[p.place], polls_made[p.place], case when p.turn = 1 then logged end
    from unnest(places) with ordinality p (place, turn);
end
$function$;

CREATE OR REPLACE FUNCTION public.recount_days()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  lock table day_counters in exclusive mode;
  delete from day_counters;
  insert into day_counters (counter, day, domain, detail, slot, amount)
  select 'statuses'::day_counter, snowflake_day(s.id), coalesce(a.domain, ''), '', 0, count(*)
  from statuses s join accounts a on a.id = s.account_id
  group by 2, 3
  union all
  select 'deleted_statuses'::day_counter, snowflake_day(s.id), a.domain, '', 0, count(*)
  from statuses s join accounts a on a.id = s.account_id
  where not s.local and a.domain is not null and s.deleted_at is not null
  group by 2, 3
  union all
  select 'languages'::day_counter, snowflake_day(s.id), a.domain, coalesce(s.language, ''), 0, count(*)
  from statuses s join accounts a on a.id = s.account_id
  where not s.local and a.domain is not null and s.deleted_at is null and s.reblog_of_id is null
  group by 2, 3, 4
  union all
  select 'accounts'::day_counter, snowflake_day(a.id), a.domain, '', 0, count(*) from accounts a where a.domain is not null group by 2, 3
  union all
  select 'follows'::day_counter, (f.created_at at time zone 'UTC')::date, a.domain, '', 0, count(*)
  from follows f join accounts a on a.id = f.target_account_id
  where a.domain is not null
  group by 2, 3
  union all
  select 'followers'::day_counter, (f.created_at at time zone 'UTC')::date, a.domain, '', 0, count(*)
  from follows f join accounts a on a.id = f.account_id
  where a.domain is not null
  group by 2, 3
  union all
  select 'interactions'::day_counter, did.day, '', '', 0, count(*)
  from (
    select (f.created_at at time zone 'UTC')::date as day
    from favourites f join accounts a on a.id = f.account_id where a.domain is null
    union all
    select (f.created_at at time zone 'UTC')::date
    from follows f join accounts a on a.id = f.account_id where a.domain is null
    union all
    select min((v.created_at at time zone 'UTC')::date)
    from poll_votes v join accounts a on a.id = v.account_id where a.domain is null
    group by v.poll_id, v.account_id
    union all
    select snowflake_day(s.id) from statuses s
    where s.local and (s.reblog_of_id is not null or s.in_reply_to_account_id <> s.account_id)
  ) did
  group by did.day
  union all
  select counted.counter, counted.day, counted.domain, '', 0, count(*)
  from reports r cross join lateral report_counters(r) counted
  group by 1, 2, 3
  union all
  select counted.counter, counted.day, '', counted.detail, 0, count(*)
  from users u cross join lateral user_counters(u) counted
  group by 1, 2, 4
  union all
  select 'registrations'::day_counter, (u.created_at at time zone 'UTC')::date, '', '', 0, count(*) from users u group by 2
  union all
  select 'active_users'::day_counter, d.day, '', coalesce((d.day - d.previous)::text, ''), 0, count(*)
  from (select x.day, lag(x.day) over (partition by x.user_id order by x.day) as previous from active_days x) d
  group by d.day, d.previous;
end
$function$;

CREATE OR REPLACE FUNCTION public.recount_tags()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  setting text;
begin
  lock table status_tags in share row exclusive mode;
  setting := set_config('millrace.recounting', 'on', true);
  update status_tags x set account_id = f.account_id, language = f.language, counted = f.counted, listed = f.listed
  from statuses s
  cross join lateral status_tag_facts(s.id) f
  where s.id = x.status_id
    and (x.account_id, x.language, x.counted, x.listed) is distinct from (f.account_id, f.language, f.counted, f.listed);
  setting := set_config('millrace.recounting', '', true);
  delete from tag_server_days;
  delete from tag_account_days;
  delete from tag_use_days;
  insert into tag_server_days (tag_id, day, domain, language, slot, uses)
  select x.tag_id, snowflake_day(x.status_id), coalesce(a.domain, ''), coalesce(x.language, ''), 0, count(*)
  from status_tags x
  left join accounts a on a.id = x.account_id
  where x.counted
  group by 1, 2, 3, 4;
  insert into tag_account_days (tag_id, account_id, day, uses)
  select x.tag_id, x.account_id, snowflake_day(x.status_id), count(*)
  from status_tags x
  where x.listed and x.status_id >= first_snowflake(midnight((now() at time zone 'UTC')::date - 14))
  group by 1, 2, 3;
  insert into tag_use_days (tag_id, day, distance, slot, uses, accounts)
  select d.tag_id, d.day, least(coalesce(d.day - d.previous, 14), 14), 0, sum(d.uses), count(*)
  from (
    select x.tag_id, x.day, x.uses, lag(x.day) over (partition by x.tag_id, x.account_id order by x.day) as previous
    from tag_account_days x
  ) d
  group by 1, 2, 3;
end
$function$;

CREATE OR REPLACE FUNCTION public.refresh_content_kinds(status bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  update statuses s
  set content_kinds = found.content_kinds, attached_text = found.attached_text
  from (
    select
      t.id, content_kinds_of(t.id, t.media_attachment_ids) as content_kinds,
      attached_text_of(t.id, t.media_attachment_ids) as attached_text
    from statuses t
    where t.id = status
  ) found
  where s.id = found.id and (s.content_kinds, s.attached_text) <> (found.content_kinds, found.attached_text)
$function$;

CREATE OR REPLACE FUNCTION public.refresh_content_kinds_of_card()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_content_kinds(l.status_id) from preview_cards_statuses l where l.preview_card_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.refresh_content_kinds_of_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform refresh_content_kinds(coalesce(new.status_id, old.status_id));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.refresh_status_tags()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_table_name = 'statuses' then
    update status_tags x set language = f.language, counted = f.counted, listed = f.listed
    from status_tag_facts(new.id) f
    where x.status_id = new.id;
  else
    update status_tags x set listed = f.listed
    from status_tags own
    cross join lateral status_tag_facts(own.status_id) f
    where own.account_id = new.id
      and own.status_id >= first_snowflake(midnight((now() at time zone 'UTC')::date - 14))
      and x.tag_id = own.tag_id and x.status_id = own.status_id and x.listed <> f.listed;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.relay_inboxes(author bigint, copied_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  select r.inbox_url
  from relays r
  where r.state = 'accepted'
    and not exists (select from delivery_hosts h where h.host = r.host and h.unavailable_since is not null)
    and not exists (
      select from account_domain_blocks d
      where d.account_id = author and d.domain = r.host and (copied_at is null or d.created_at < copied_at)
    )
    and not exists (
      select
      from accounts a
      join blocks b on b.account_id = author and b.target_account_id = a.id
      where a.uri = r.actor_uri and (copied_at is null or b.created_at < copied_at)
    )
$function$;

CREATE OR REPLACE FUNCTION public.release_replies(status bigint, deleted bigint)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
AS $function$
begin
  return query
    update statuses r set in_reply_to_id = null
    where r.id in (select o.id from statuses o where o.in_reply_to_id = release_replies.status order by o.id limit 500)
    returning r.id;
end
$function$;

CREATE OR REPLACE FUNCTION public.remove_archive()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform enqueue('media.remove_files', json_build_object('keys', json_build_array(old.file_key)));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.remove_pins(status bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from status_pins p where p.status_id = remove_pins.status;
end
$function$;

CREATE OR REPLACE FUNCTION public.report_counters(r reports)
 RETURNS TABLE(counter day_counter, day date, domain text)
 LANGUAGE sql
 STABLE
AS $function$
  select one.counter, one.day, one.domain
  from (
    values
      (
        'reports'::day_counter, (r.created_at at time zone 'UTC')::date,
        coalesce(to_jsonb(r) ->> 'target_domain', (select a.domain from accounts a where a.id = r.target_account_id), '')
      ),
      ('resolved_reports', (r.action_taken_at at time zone 'UTC')::date, '')
  ) one (counter, day, domain)
  where one.day is not null
$function$;

CREATE OR REPLACE FUNCTION public.search_letters()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e\u1780-\u17b3\u17d7\u17dc\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua9e0-\ua9e4\ua9e6-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa76\uaa7a\uaa7e\uaa7f\uf900-\ufaff\uff66-\uff9d\U0001aff0-\U0001b16f\U00020000-\U0003fffd'::text;

CREATE OR REPLACE FUNCTION public.search_marks()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d\u17b4-\u17d3\u17dd\u302a-\u302f\u3099\u309a\ua9e5\uaa7b-\uaa7d\uff9e\uff9f'::text;

CREATE OR REPLACE FUNCTION public.search_query(words text)
 RETURNS tsquery
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (words ~ (('['::text || search_letters()) || (']'::text COLLATE "C"))) THEN (regexp_replace(regexp_replace((websearch_to_tsquery('simple'::regconfig, unaccented_words(words)))::text, (((((((('(''(?:['::text || search_letters()) || ']['::text) || search_marks()) || ']*){2}'') <-> ''['::text) || search_letters()) || ']['::text) || search_marks()) || (']*''(?! <)'::text COLLATE "C")), '\1'::text, 'g'::text), (((('(''['::text || search_letters()) || ']['::text) || search_marks()) || (']*'')(?! <)'::text COLLATE "C")), '\1:*'::text, 'g'::text))::tsquery ELSE websearch_to_tsquery('simple'::regconfig, unaccented_words(words)) END;

CREATE OR REPLACE FUNCTION public.search_separators()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '[\u0080-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02eb\u02ed\u02ef-\u02ff\u0375\u037e\u0384\u0385\u0387\u03f6\u0482\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3-\u060f\u061b-\u061f\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u06fd\u06fe\u0700-\u070f\u07f6-\u07f9\u07fe\u07ff\u0830-\u083e\u085e\u0888\u0890\u0891\u08e2\u0964\u0965\u0970\u09f2\u09f3\u09fa\u09fb\u09fd\u0a76\u0af0\u0af1\u0b70\u0bf3-\u0bfa\u0c77\u0c7f\u0c84\u0d4f\u0d79\u0df4\u0e3f\u0e4f\u0e5a\u0e5b\u0f01-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f85\u0fbe-\u0fc5\u0fc7-\u0fda\u104a-\u104f\u109e\u109f\u10fb\u1360-\u1368\u1390-\u1399\u1400\u166d\u166e\u1680\u169b\u169c\u16eb-\u16ed\u1735\u1736\u17d4-\u17d6\u17d8-\u17db\u1800-\u180a\u180e\u1940-\u1945\u19de-\u19ff\u1a1e\u1a1f\u1aa0-\u1aa6\u1aa8-\u1aad\u1b4e\u1b4f\u1b5a-\u1b6a\u1b74-\u1b7f\u1bfc-\u1bff\u1c3b-\u1c3f\u1c7e\u1c7f\u1cc0-\u1cc7\u1cd3\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed-\u1fef\u1ffd-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211e-\u2123\u2125\u2127\u2129\u212e\u213a\u213b\u2140-\u2144\u214a-\u214d\u214f\u218a-\u2429\u2440-\u244a\u249c-\u24e9\u2500-\u2775\u2794-\u2bff\u2ce5-\u2cea\u2cf9-\u2cfc\u2cfe\u2cff\u2d70\u2e00-\u2e2e\u2e30-\u2e5d\u2e80-\u2fd5\u2ff0-\u3004\u3008-\u3020\u3030\u3036\u3037\u303d-\u303f\u309b\u309c\u30a0\u30fb\u3190\u3191\u3196-\u319f\u31c0-\u31ef\u3200-\u321e\u322a-\u3247\u3250\u3260-\u327f\u328a-\u32b0\u32c0-\u33ff\u4dc0-\u4dff\ua490-\ua4c6\ua4fe\ua4ff\ua60d-\ua60f\ua673\ua67e\ua6f2-\ua716\ua720\ua721\ua789\ua78a\ua828-\ua82b\ua836-\ua839\ua874-\ua877\ua8ce\ua8cf\ua8f8-\ua8fa\ua8fc\ua92e\ua92f\ua95f\ua9c1-\ua9cd\ua9de\ua9df\uaa5c-\uaa5f\uaa77-\uaa79\uaade\uaadf\uaaf0\uaaf1\uab5b\uab6a\uab6b\uabeb\ue000-\uf8ff\ufb29\ufbb2-\ufbd2\ufd3e-\ufd4f\ufd90\ufd91\ufdc8-\ufdcf\ufdfc-\ufe19\ufe30-\ufe6b\ufeff-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\ufffd\U00010100-\U00010102\U00010137-\U0001013f\U00010179-\U00010189\U0001018c-\U000101a0\U000101d0-\U000101fc\U0001039f\U000103d0\U0001056f\U00010857\U00010877\U00010878\U0001091f\U0001093f\U00010a50-\U00010a58\U00010a7f\U00010ac8\U00010af0-\U00010af6\U00010b39-\U00010b3f\U00010b99-\U00010b9c\U00010d6e\U00010d8e\U00010d8f\U00010ead\U00010ed0-\U00010ed8\U00010f55-\U00010f59\U00010f86-\U00010f89\U00011047-\U0001104d\U000110bb-\U000110c1\U000110cd\U00011140-\U00011143\U00011174\U00011175\U000111c5-\U000111c8\U000111cd\U000111db\U000111dd-\U000111df\U00011238-\U0001123d\U000112a9\U000113d4-\U000113d8\U0001144b-\U0001144f\U0001145a-\U0001145d\U000114c6\U000115c1-\U000115d7\U00011641-\U00011643\U00011660-\U0001166c\U000116b9\U0001173c-\U0001173f\U0001183b\U00011944-\U00011946\U000119e2\U00011a3f-\U00011a46\U00011a9a-\U00011a9c\U00011a9e-\U00011aa2\U00011b00-\U00011b09\U00011be1\U00011c41-\U00011c45\U00011c70\U00011c71\U00011ef7\U00011ef8\U00011f43-\U00011f4f\U00011fd5-\U00011fff\U00012470-\U00012474\U00012ff1\U00012ff2\U00013430-\U0001343f\U00016a6e\U00016a6f\U00016af5\U00016b37-\U00016b3f\U00016b44\U00016b45\U00016d6d-\U00016d6f\U00016e97-\U00016e9a\U00016fe2\U0001bc9c\U0001bc9f-\U0001bca3\U0001cc00-\U0001ccef\U0001ccfa-\U0001cef0\U0001cf50-\U0001cfc3\U0001d000-\U0001d164\U0001d16a-\U0001d16c\U0001d173-\U0001d17a\U0001d183\U0001d184\U0001d18c-\U0001d1a9\U0001d1ae-\U0001d1ea\U0001d200-\U0001d241\U0001d245\U0001d300-\U0001d356\U0001d6c1\U0001d6db\U0001d6fb\U0001d715\U0001d735\U0001d74f\U0001d76f\U0001d789\U0001d7a9\U0001d7c3\U0001d800-\U0001d9ff\U0001da37-\U0001da3a\U0001da6d-\U0001da74\U0001da76-\U0001da83\U0001da85-\U0001da8b\U0001e14f\U0001e2ff\U0001e5ff\U0001e95e\U0001e95f\U0001ecac\U0001ecb0\U0001ed2e\U0001eef0\U0001eef1\U0001f000-\U0001f0f5\U0001f10d-\U0001fbef\U0001fbfa\U000e0000-\U000e0fff\U000f0000-\U0010fffd]+'::text;

CREATE OR REPLACE FUNCTION public.search_words(text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(text) = length(text)) THEN text WHEN (text ~ (('['::text || search_letters()) || (']'::text COLLATE "C"))) THEN regexp_replace(regexp_replace(regexp_replace(text, (search_separators() COLLATE "C"), ' '::text, 'g'::text), ((((('(['::text || search_letters()) || ']['::text) || search_letters()) || search_marks()) || (']*)'::text COLLATE "C")), ' \1 '::text, 'g'::text), ((((((('(?<=['::text || search_letters()) || search_marks()) || '])(['::text) || search_letters()) || ']['::text) || search_marks()) || (']*)'::text COLLATE "C")), '\1 \1'::text, 'g'::text) ELSE regexp_replace(text, (search_separators() COLLATE "C"), ' '::text, 'g'::text) END;

CREATE OR REPLACE FUNCTION public.send_activity(sender bigint, object text, body text, inboxes text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_variable
declare
  activity bigint;
begin
  if cardinality(inboxes) = 0 then
    return;
  end if;
  insert into outgoing_activities (sender_id, object, body) values (sender, object, body) returning id into activity;
  perform enqueue(
    'federation.deliver',
    json_build_object('activity', activity::text, 'inboxes', batch.inboxes, 'attempt', 1),
    attempts => 3,
    priority => 10,
    queue_name => 'federation.deliver:' || (hashtext(object || batch.lane) & 255)
  )
  from (
    select to_json(array_agg(one.inbox)) as inboxes, one.lane
    from (
      select given.inbox, given.lane, row_number() over (partition by given.lane) as place
      from (select u.inbox, hashtext(u.inbox) & 7 as lane from unnest(inboxes) u (inbox)) given
    ) one
    group by one.lane, (one.place - 1) / 50
  ) batch;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_content_kinds()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.content_kinds := content_kinds_of(new.id, new.media_attachment_ids);
  new.attached_text := attached_text_of(new.id, new.media_attachment_ids);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_report_domain()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.target_domain := (select a.domain from accounts a where a.id = new.target_account_id);
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.set_status_tag_author()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  facts record;
begin
  select f.account_id, f.language, f.counted, f.listed into facts from status_tag_facts(new.status_id) f;
  if found then
    new.account_id := facts.account_id;
    new.language := facts.language;
    new.counted := facts.counted;
    new.listed := facts.listed;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.settle_relations(account bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  delete from follows f using blocks b
  where (f.account_id = account or f.target_account_id = account)
    and (b.account_id, b.target_account_id) in ((f.account_id, f.target_account_id), (f.target_account_id, f.account_id));
  delete from follow_requests r using blocks b
  where (r.account_id = account or r.target_account_id = account)
    and (b.account_id, b.target_account_id) in ((r.account_id, r.target_account_id), (r.target_account_id, r.account_id));
  with ended as (
    delete from follow_requests r using follows f
    where (r.account_id = account or r.target_account_id = account)
      and f.account_id = r.account_id and f.target_account_id = r.target_account_id
    returning r.id, f.id as follow_id
  )
  update list_accounts m set follow_id = ended.follow_id, follow_request_id = null
  from ended
  where m.follow_request_id = ended.id;
  update notification_requests r
  set notifications_count = counted.amount, last_status_id = counted.last_status_id
  from (
    select o.id, count(n.id) as amount, (array_agg(n.status_id order by n.id desc))[1] as last_status_id
    from notification_requests o
    left join notifications n
      on n.account_id = o.account_id and n.from_account_id = account and n.filtered and n.type in ('mention', 'quote')
      and n.created_at >= o.created_at
    where o.from_account_id = account
    group by o.id
  ) counted
  where r.id = counted.id;
  delete from notification_requests r where r.from_account_id = account and r.notifications_count = 0;
end
$function$;

CREATE OR REPLACE FUNCTION public.shown_collection_items(viewer bigint)
 RETURNS SETOF collection_items
 LANGUAGE sql
 STABLE ROWS 100
AS $function$
  select i.*
  from collection_items i
  join collections c on c.id = i.collection_id
  join accounts a on a.id = i.account_id
  where (i.state = 'accepted' or (i.state = 'pending' and c.account_id = viewer))
    and a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and not exists (select from blocks b where b.account_id = viewer and b.target_account_id = i.account_id)
$function$;

CREATE OR REPLACE FUNCTION public.shown_notifications(viewer bigint)
 RETURNS SETOF notifications
 LANGUAGE sql
 STABLE
AS $function$
  select n.*
  from notifications n
  join accounts a on a.id = n.from_account_id
  left join visible_statuses(viewer) s on s.id = n.status_id
  where n.account_id = viewer
    and a.suspended_at is null
    and a.deletion_requested_at is null
    and (n.status_id is null or s.id is not null)
$function$;

CREATE OR REPLACE FUNCTION public.shown_statuses(viewer bigint)
 RETURNS SETOF statuses
 LANGUAGE sql
 STABLE
AS $function$
  select s.*
  from visible_statuses(viewer) s
  join accounts a on a.id = s.account_id
  where s.account_id = viewer
    or (
      not exists (select from blocks b where b.account_id = viewer and b.target_account_id = s.account_id)
      and not exists (
        select from mutes m
        where m.account_id = viewer and m.target_account_id = s.account_id and (m.expires_at is null or m.expires_at > now())
      )
      and not exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = a.domain)
      and (
        a.silenced_at is null
        or exists (select from follows f where f.account_id = viewer and f.target_account_id = s.account_id offset 0)
      )
    )
$function$;

CREATE OR REPLACE FUNCTION public.shrink_notification_requests()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from removed where removed.filtered) then
    return null;
  end if;
  perform
  from notification_requests r
  where (r.account_id, r.from_account_id) in (
    select removed.account_id, removed.from_account_id from removed where removed.filtered
  )
  order by r.id
  for update;
  with less as (
    select r.id, count(*) as amount
    from removed
    join notification_requests r on r.account_id = removed.account_id and r.from_account_id = removed.from_account_id
    where removed.filtered and removed.type in ('mention', 'quote') and removed.created_at >= r.created_at
    group by r.id
  ), ended as (
    delete from notification_requests r using less where r.id = less.id and r.notifications_count <= less.amount
  )
  update notification_requests r
  set notifications_count = r.notifications_count - less.amount,
    last_status_id = (
      select n.status_id
      from notifications n
      where n.account_id = r.account_id and n.from_account_id = r.from_account_id
        and n.filtered and n.type in ('mention', 'quote')
      order by n.id desc
      limit 1
    )
  from less
  where r.id = less.id and r.notifications_count > less.amount;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.snowflake()
 RETURNS bigint
 LANGUAGE sql
RETURN ((((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint << 16) | (nextval('snowflakes'::regclass) & (65535)::bigint));

CREATE OR REPLACE FUNCTION public.snowflake_at(made timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
RETURN ((((EXTRACT(epoch FROM made) * (1000)::numeric))::bigint << 16) | (nextval('snowflakes'::regclass) & (65535)::bigint));

CREATE OR REPLACE FUNCTION public.snowflake_day(id bigint)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (('1970-01-01 00:00:00'::timestamp without time zone + (((id >> 16))::double precision * '00:00:00.001'::interval)))::date;

CREATE OR REPLACE FUNCTION public.staff_accounts(filter jsonb, max_id bigint, since_id bigint, min_id bigint, max_rows integer)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE ROWS 100
AS $function$
begin
  return query execute
    'select page.id from (' || staff_accounts_query(filter, max_id, since_id, min_id, max_rows) || ') page order by page.id desc';
end
$function$;

CREATE OR REPLACE FUNCTION public.staff_accounts_query(filter jsonb, max_id bigint, since_id bigint, min_id bigint, max_rows integer)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  conditions text[] := array['true'];
  page text[] := array['true'];
  is_narrow boolean := filter ?| array['invited_by', 'staff'];
  sought text[] := array['true'];
  many constant integer := 1000;
  matches integer;
  has_user boolean := filter ?| array['email', 'ip', 'role_ids', 'staff', 'invited_by'];
  role_ids bigint[];
begin
  if filter ->> 'origin' = 'local' then
    conditions := conditions || 'a.domain is null'::text;
  elsif filter ->> 'origin' = 'remote' then
    conditions := conditions || 'a.domain is not null'::text;
  end if;
  if filter ? 'domain' then
    conditions := conditions || format('a.domain = %L', filter ->> 'domain');
  end if;
  conditions := conditions || case filter ->> 'status'
    when 'active' then 'a.suspended_at is null and a.deletion_requested_at is null'
    when 'pending' then 'not u.approved'
    when 'disabled' then 'u.disabled and a.suspended_at is null'
    when 'silenced' then 'a.silenced_at is not null'
    when 'suspended' then 'a.suspended_at is not null'
    when 'sensitized' then 'a.sensitized_at is not null'
    else 'true'
  end;
  has_user := has_user or coalesce(filter ->> 'status' in ('pending', 'disabled'), false);
  if filter ? 'username' then
    sought := sought || format('lower(a.username) like %L', like_prefix(filter ->> 'username'));
  end if;
  if filter ? 'display_name' then
    sought := sought || format('lower(a.display_name) like %L', like_prefix(filter ->> 'display_name'));
  end if;
  if filter ? 'email' then
    sought := sought || format('lower(u.email) like %L', like_prefix(filter ->> 'email'));
  end if;
  if filter ? 'ip' then
    execute format(
      'select count(*) from (
        select from users u where u.sign_up_ip <<= %1$L::inet
        union all select from sessions s where s.ip <<= %1$L
        union all select from login_activities l where l.success and l.ip <<= %1$L
        union all select from oauth_tokens t where t.last_used_ip <<= %1$L
        limit %2$s
      ) known', filter ->> 'ip', many
    ) into matches;
    is_narrow := is_narrow or matches < many;
    conditions := conditions || format(
      case
        when matches < many then 'u.id in (select known.user_id from user_ips() known where known.ip <<= %L::inet)'
        else '(select true from user_ips() known where known.user_id = u.id and known.ip <<= %L::inet limit 1)'
      end,
      filter ->> 'ip'
    );
  end if;
  if filter ? 'invited_by' then
    conditions := conditions || format(
      'u.invite_id in (select i.id from invites i join users inviter on inviter.id = i.user_id where inviter.account_id = %L::bigint)',
      filter ->> 'invited_by'
    );
  end if;
  if filter ? 'staff' then
    role_ids := array(select r.id from roles r where has_permission(r.permissions, 'manage_reports'));
    conditions := conditions || format('u.role_id = any (%L::bigint[])', role_ids);
  end if;
  if filter ? 'role_ids' then
    role_ids := array(select jsonb_array_elements_text(filter -> 'role_ids')::bigint);
    is_narrow := is_narrow or not role_ids @> array[-99::bigint];
    conditions := conditions || case
      when role_ids @> array[-99::bigint] then format('(u.role_id = any (%L::bigint[]) or u.role_id is null)', role_ids)
      else format('u.role_id = any (%L::bigint[])', role_ids)
    end;
  end if;
  if array_length(sought, 1) > 1 then
    execute format(
      'select count(*) from (select from accounts a%s where %s limit %s) found',
      case when filter ? 'email' then ' join users u on u.account_id = a.id' end, array_to_string(sought, ' and '), many
    ) into matches;
    is_narrow := is_narrow or matches < many;
    conditions := conditions || sought;
  end if;
  if max_id is not null then
    page := page || format('a.id < %L::bigint', max_id);
  end if;
  if coalesce(min_id, since_id) is not null then
    page := page || format('a.id > %L::bigint', greatest(min_id, since_id));
  end if;
  if has_user then
    -- The same bounds for the planner, which may walk users instead.
    conditions := conditions || replace(array_to_string(page, ' and '), 'a.id', 'u.account_id');
  end if;
  return format(
    case
      when is_narrow then 'with found as materialized (select a.id from accounts a%s where %s) select a.id from found a where %s order by a.id %s limit %s'
      else 'select a.id from accounts a%s where %s and %s order by a.id %s limit %s'
    end,
    case when has_user then ' join users u on u.account_id = a.id' end,
    array_to_string(conditions, ' and '),
    array_to_string(page, ' and '),
    case when min_id is null then 'desc' else 'asc' end,
    max_rows
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.staff_reports(filter jsonb, max_id bigint, since_id bigint, min_id bigint, max_rows integer)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE ROWS 100
AS $function$
begin
  return query execute
    'select page.id from (' || staff_reports_query(filter, max_id, since_id, min_id, max_rows) || ') page order by page.id desc';
end
$function$;

CREATE OR REPLACE FUNCTION public.staff_reports_query(filter jsonb, max_id bigint, since_id bigint, min_id bigint, max_rows integer)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  conditions text[] := array['true'];
begin
  conditions := conditions || case filter ->> 'state'
    when 'open' then 'r.action_taken_at is null'
    when 'resolved' then 'r.action_taken_at is not null'
    else 'true'
  end;
  if filter ? 'account_id' then
    conditions := conditions || format('r.account_id = %L::bigint', filter ->> 'account_id');
  end if;
  if filter ? 'target_account_id' then
    conditions := conditions || format('r.target_account_id = %L::bigint', filter ->> 'target_account_id');
  end if;
  if filter ? 'assigned_account_id' then
    conditions := conditions || format('r.assigned_account_id = %L::bigint', filter ->> 'assigned_account_id');
  end if;
  if filter ? 'target_domain' then
    conditions := conditions || format('r.target_domain = %L', filter ->> 'target_domain');
  end if;
  if max_id is not null then
    conditions := conditions || format('r.id < %L::bigint', max_id);
  end if;
  if coalesce(min_id, since_id) is not null then
    conditions := conditions || format('r.id > %L::bigint', greatest(min_id, since_id));
  end if;
  return format(
    'select r.id from reports r where %s order by r.id %s limit %s',
    array_to_string(conditions, ' and '),
    case when min_id is null then 'desc' else 'asc' end,
    max_rows
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.staff_statuses(viewer bigint)
 RETURNS SETOF statuses
 LANGUAGE sql
 STABLE
AS $function$
  select s.*
  from statuses s
  where s.visibility in ('public', 'unlisted')
    or exists (select from reports r where r.target_account_id = s.account_id and s.id = any (r.status_ids) offset 0)
    or exists (select from account_warnings w where w.target_account_id = s.account_id and s.id = any (w.status_ids) offset 0)
    or exists (select from visible_statuses(viewer) v where v.id = s.id offset 0)
$function$;

CREATE OR REPLACE FUNCTION public.status_facts(status statuses)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select status_facts(
    status,
    array(select m.account_id from mentions m where m.status_id = status.id and not m.silent order by m.id),
    array(select m.account_id from mentions m where m.status_id = status.id and m.silent order by m.id),
    array(select t.name from status_tags x join tags t on t.id = x.tag_id where x.status_id = status.id order by t.id)
  )
$function$;

CREATE OR REPLACE FUNCTION public.status_facts(status statuses, mentioned bigint[], silently bigint[], tag_names text[])
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object(
    'visibility', status.visibility,
    'local', status.local,
    'domain', a.domain,
    'silenced', a.silenced_at is not null,
    'language', status.language,
    'reblog_of_id', status.reblog_of_id::text,
    'reblog_account_id', (select o.account_id::text from statuses o where o.id = status.reblog_of_id),
    'reblog_domain', (
      select b.domain from statuses o join accounts b on b.id = o.account_id where o.id = status.reblog_of_id
    ),
    'in_reply_to_id', status.in_reply_to_id::text,
    'in_reply_to_account_id', status.in_reply_to_account_id::text,
    'conversation_id', status.conversation_id::text,
    'mentions', to_jsonb(mentioned::text[]),
    'silent_mentions', to_jsonb(silently::text[]),
    'tags', to_jsonb(tag_names),
    'has_media', status.media_attachment_ids <> '{}',
    'reblog_mentions', to_jsonb(array(
      select m.account_id::text from mentions m where m.status_id = status.reblog_of_id and not m.silent order by m.id
    ))
  ) || case when status.parent_unknown then '{"parent_unknown": true}' else '{}' end::jsonb
  from accounts a
  where a.id = status.account_id
$function$;

CREATE OR REPLACE FUNCTION public.status_inboxes(status bigint)
 RETURNS SETOF text
 LANGUAGE sql
 STABLE
AS $function$
  with sent as materialized (
    select s.id, s.account_id, s.visibility, s.visibility in ('public', 'unlisted') as open,
      s.visibility in ('public', 'unlisted') or s.deleted_at is not null as kept, s.in_reply_to_id, s.in_reply_to_account_id,
      s.reblog_of_id, s.created_at, s.deleted_at is not null as deleted, o.silenced_at is not null as limited
    from statuses s
    join accounts o on o.id = s.account_id
    where s.id = status
  ), reached as (
    select m.account_id
    from sent
    join mentions m on m.status_id = sent.id
    where not sent.limited or sent.deleted
      or exists (select from follows f where f.account_id = m.account_id and f.target_account_id = sent.account_id)
      or exists (select from follow_requests r where r.account_id = m.account_id and r.target_account_id = sent.account_id)
    union
    select f.account_id from sent join follows f on f.target_account_id = sent.account_id
    where sent.visibility in ('public', 'unlisted', 'private')
    union
    select o.account_id from sent join statuses o on o.id = sent.reblog_of_id
    union
    select sent.in_reply_to_account_id from sent where sent.open
    union
    select f.account_id
    from sent
    join accounts p on p.id = sent.in_reply_to_account_id and p.domain is null
    join follows f on f.target_account_id = p.id
    where sent.open
    union
    select q.quoted_account_id from sent join quotes q on q.status_id = sent.id where sent.open
    union
    select q.account_id from sent join quotes q on q.quoted_status_id = sent.id where sent.kept
    union
    select o.account_id from sent join statuses o on o.reblog_of_id = sent.id where sent.kept
    union
    select o.account_id from sent join statuses o on o.in_reply_to_id = sent.id where sent.kept
    union
    select f.account_id from sent join favourites f on f.status_id = sent.id where sent.kept
  )
  select distinct i.inbox
  from reached
  join reachable_inboxes() i on i.account_id = reached.account_id
  cross join sent
  where not exists (
      select from blocks b
      where b.account_id = sent.account_id and b.target_account_id = i.account_id and (not sent.deleted or b.created_at < sent.created_at)
    )
    and not exists (
      select from account_domain_blocks d
      where d.account_id = sent.account_id and d.domain = i.domain and (not sent.deleted or d.created_at < sent.created_at)
    )
  union
  select relay.inbox
  from sent
  cross join lateral relay_inboxes(sent.account_id, case when sent.deleted then sent.created_at end) relay (inbox)
  where sent.visibility = 'public'
$function$;

CREATE OR REPLACE FUNCTION public.status_search_vector(id bigint, account_id bigint, text text, content text, spoiler_text text, language text, sensitive boolean, in_reply_to_id bigint, media_attachment_ids bigint[], visibility visibility, content_kinds text[], attached_text text)
 RETURNS tsvector
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 1000
 SET search_path TO '$user', 'public'
AS $function$
declare
  words text := search_words(spoiler_text || E'\n\n' || case when text = '' then content else text end || E'\n\n' || attached_text);
  kinds text[] := '{}';
begin
  -- As unaccented_words. Most texts are ASCII when typographic punctuation and emojis are gone.
  if octet_length(words) <> length(words) then
    words := unaccent(words);
  end if;
  if content_kinds <> '{}' then
    kinds := array(select '=' || kind from unnest(content_kinds) kind);
  end if;
  return to_tsvector('simple', words)
    || array_to_tsvector(
      array['=author:' || account_id, '=fine:' || (id >> 44), '=coarse:' || (id >> 49)]
      || case when language is not null then array['=language:' || lower(language)] else '{}' end
      || case when visibility = 'public' then array['=public'] else '{}' end
      || case when sensitive then array['=sensitive'] else '{}' end
      || case when in_reply_to_id is not null then array['=reply'] else '{}' end
      || case when media_attachment_ids <> '{}' then array['=media'] else '{}' end
      || case when text like '%http://%' or text like '%https://%' then array['=link'] else '{}' end
      || kinds
    );
end
$function$;

CREATE OR REPLACE FUNCTION public.status_tag_facts(status bigint)
 RETURNS TABLE(account_id bigint, language text, counted boolean, listed boolean)
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  select
    s.account_id, s.language, s.deleted_at is null,
    s.deleted_at is null and s.visibility = 'public' and s.reblog_of_id is null
      and a.silenced_at is null and a.suspended_at is null and not a.pending and a.deletion_requested_at is null
  from statuses s
  join accounts a on a.id = s.account_id
  where s.id = status
$function$;

CREATE OR REPLACE FUNCTION public.suggestable_accounts(viewer bigint)
 RETURNS SETOF accounts
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.sync_canonical_email_block()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.suspended_at is null then
    delete from canonical_email_blocks b where b.reference_account_id = new.id;
  elsif new.deletion_requested_at is null then
    insert into canonical_email_blocks (canonical_email_hash, reference_account_id)
    select canonical_email_hash(u.email), new.id from users u where u.account_id = new.id
    on conflict do nothing;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.sync_pending()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update accounts set pending = new.confirmed_at is null or not new.approved
  where accounts.id = new.account_id and accounts.pending is distinct from (new.confirmed_at is null or not new.approved);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.trend_score(observed bigint, expected bigint, threshold integer)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN ((observed < threshold) OR (observed < expected)) THEN (0)::double precision ELSE ((((observed - GREATEST(COALESCE(expected, (0)::bigint), (1)::bigint)))::double precision ^ (2)::double precision) / (GREATEST(COALESCE(expected, (0)::bigint), (1)::bigint))::double precision) END;

CREATE OR REPLACE FUNCTION public.trendable_statuses(viewer bigint)
 RETURNS SETOF statuses
 LANGUAGE sql
 STABLE
AS $function$
  select s.*
  from listed_statuses(viewer) s
  join accounts a on a.id = s.account_id
  where s.in_reply_to_id is null and s.in_reply_to_account_id is null and not s.parent_unknown
    and not s.sensitive and s.spoiler_text = ''
    and s.language is not null
    and a.discoverable and a.sensitized_at is null
$function$;

CREATE OR REPLACE FUNCTION public.unaccented(text text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(text) = length(text)) THEN text ELSE unaccent(text) END;

CREATE OR REPLACE FUNCTION public.unaccented_words(text text)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(text) = length(text)) THEN text ELSE unaccent(search_words(text)) END;

CREATE OR REPLACE FUNCTION public.unhidden_accounts(viewer bigint)
 RETURNS SETOF accounts
 LANGUAGE sql
 STABLE
AS $function$
  select a.*
  from accounts a
  where viewer is null
    or a.id = viewer
    or (
      not exists (select from blocks b where b.account_id = viewer and b.target_account_id = a.id offset 0)
      and not exists (select from blocks b where b.account_id = a.id and b.target_account_id = viewer offset 0)
      and not exists (
        select from mutes m
        where m.account_id = viewer and m.target_account_id = a.id and (m.expires_at is null or m.expires_at > now())
        offset 0
      )
    )
$function$;

CREATE OR REPLACE FUNCTION public.unrelated_among(accounts bigint[])
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  conditions text;
begin
  -- With `offset 0` each condition is a look-up by index, never a scan of the other table.
  select string_agg(
    format('not exists (select from %1$s r where r.%2$I = u.id offset 0)', c.conrelid::regclass, a.attname),
    ' and ' order by c.conrelid::regclass::text, a.attname
  )
  into conditions
  from pg_constraint c
  join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.conparentid = 0
    and c.conrelid::regclass::text <> all (array['account_stats', 'featured_tags', 'popular_accounts']);
  return query execute format('select u.id from unnest($1) u(id) where %s', conditions) using accounts;
end
$function$;

CREATE OR REPLACE FUNCTION public.url_host(url text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN lower("substring"(url, '^https?://(?:[^/?#@]*@)?([^/?#:]+)'::text));

CREATE OR REPLACE FUNCTION public.user_counters(u users)
 RETURNS TABLE(counter day_counter, day date, detail text)
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select one.counter, one.day, one.detail
  from (
    values
      ('sign_ups'::day_counter, (u.created_at at time zone 'UTC')::date, coalesce(u.created_by_application_id::text, '')),
      ('sign_ins', (u.current_sign_in_at at time zone 'UTC')::date, coalesce(u.locale, '')),
      (
        'cohorts', (u.created_at at time zone 'UTC')::date,
        coalesce(to_char(u.current_sign_in_at at time zone 'UTC', 'YYYY-MM-DD'), '')
      )
  ) one (counter, day, detail)
  where one.day is not null
$function$;

CREATE OR REPLACE FUNCTION public.user_ips()
 RETURNS TABLE(user_id bigint, ip inet, used_at timestamp with time zone)
 LANGUAGE sql
 STABLE
AS $function$
  select known.user_id, known.ip, max(known.used_at)
  from (
    select u.id as user_id, u.sign_up_ip as ip, u.created_at as used_at from users u where u.sign_up_ip is not null
    union all
    select s.user_id, s.ip, s.updated_at from sessions s where s.ip is not null
    union all
    select l.user_id, l.ip, l.created_at from login_activities l where l.success
    union all
    select t.user_id, t.last_used_ip, coalesce(t.last_used_at, t.created_at)
    from oauth_tokens t
    where t.user_id is not null and t.last_used_ip is not null
  ) known
  group by known.user_id, known.ip
$function$;

CREATE OR REPLACE FUNCTION public.username_skeleton(username text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN translate(lower(username), '012345789'::text, 'oizeastbg'::text);

CREATE OR REPLACE FUNCTION public.version_details(status statuses)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
  select jsonb_build_object('media', array(
    select jsonb_build_object('id', m.id::text, 'description', m.description)
    from unnest(status.media_attachment_ids) with ordinality i (id, place)
    join media_attachments m on m.id = i.id
    order by i.place
  )) || coalesce((select jsonb_build_object('poll', p.options) from polls p where p.status_id = status.id), '{}')
$function$;

CREATE OR REPLACE FUNCTION public.viewer_of(user_id bigint)
 RETURNS TABLE(account_id bigint, username text, state text, suspended boolean, missing_factor boolean, silenced boolean, locked boolean, locale text, time_zone text, chosen_languages text[], permissions integer, role_position integer, preferences jsonb)
 LANGUAGE sql
 STABLE ROWS 1
AS $function$
  select
    a.id,
    a.username,
    case
      when u.confirmed_at is null then 'unconfirmed'
      when not u.approved then 'pending'
      when u.disabled or a.memorial or a.moved_to_account_id is not null
        or (r.require_2fa and u.otp_enabled_at is null) then 'disabled'
      else 'functional'
    end,
    a.suspended_at is not null or a.deletion_requested_at is not null,
    u.confirmed_at is not null and u.approved and not u.disabled and not a.memorial and a.moved_to_account_id is null
      and r.require_2fa and u.otp_enabled_at is null,
    a.silenced_at is not null,
    a.locked,
    u.locale,
    u.time_zone,
    u.chosen_languages,
    (r.permissions | base.permissions)::integer,
    r.position,
    u.preferences
  from users u
  join accounts a on a.id = u.account_id
  join roles base on base.id = -99
  join roles r on r.id = coalesce(u.role_id, -99)
  where u.id = viewer_of.user_id
$function$;

CREATE OR REPLACE FUNCTION public.visible_collections(viewer bigint)
 RETURNS SETOF collections
 LANGUAGE sql
 STABLE ROWS 100
AS $function$
  select c.*
  from collections c
  join accounts a on a.id = c.account_id
  where a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and not exists (select from blocks b where b.account_id = c.account_id and b.target_account_id = viewer)
    and not exists (
      select
      from accounts v
      join account_domain_blocks d on d.account_id = c.account_id and d.domain = v.domain
      where v.id = viewer
    )
$function$;

CREATE OR REPLACE FUNCTION public.visible_statuses(viewer bigint)
 RETURNS SETOF statuses
 LANGUAGE sql
 STABLE
AS $function$
  select s.* from visible_statuses_ever(viewer) s where s.deleted_at is null
$function$;

CREATE OR REPLACE FUNCTION public.visible_statuses_ever(viewer bigint)
 RETURNS SETOF statuses
 LANGUAGE sql
 STABLE
AS $function$
  select s.*
  from statuses s
  join accounts a on a.id = s.account_id
  where a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and (
      s.account_id = viewer
      or (
        s.visibility in ('public', 'unlisted')
        and not exists (select from blocks b where b.account_id = s.account_id and b.target_account_id = viewer)
      )
      or (
        s.visibility not in ('public', 'unlisted')
        and exists (select from mentions m where m.status_id = s.id and m.account_id = viewer offset 0)
      )
      or (
        s.visibility = 'private'
        and exists (select from follows f where f.account_id = viewer and f.target_account_id = s.account_id offset 0)
      )
    )
$function$;

CREATE OR REPLACE FUNCTION public.wanted_accounts(viewer bigint)
 RETURNS SETOF accounts
 LANGUAGE sql
 STABLE
AS $function$
  select a.*
  from unhidden_accounts(viewer) a
  where a.id = viewer
    or not exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = a.domain offset 0)
$function$;

CREATE OR REPLACE FUNCTION public.wants_post_notification(follow follows, language text, visibility visibility, mentioned bigint[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select (follow.languages is null or language is null or language = any (follow.languages))
    and (visibility <> 'direct' or follow.account_id = any (mentioned))
    and not blocks_either_way_or_mutes(follow.account_id, follow.target_account_id)
    and not exists (select from blocks b where b.account_id = follow.account_id and b.target_account_id = any (mentioned))
    and not exists (
      select from mutes m
      where m.account_id = follow.account_id and m.target_account_id = any (mentioned)
        and (m.expires_at is null or m.expires_at > now())
    )
$function$;

CREATE OR REPLACE FUNCTION public.wants_push(subscription push_subscriptions, recipient bigint, originator bigint, type text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select subscription.alerts -> type is not distinct from 'true'::jsonb
    and case subscription.policy
      when 'all' then true
      when 'followed' then exists (
        select from follows f where f.account_id = recipient and f.target_account_id = originator
      )
      when 'follower' then exists (
        select from follows f where f.account_id = originator and f.target_account_id = recipient
      )
      else false
    end
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_poll_notifications(poll bigint, author bigint)
 RETURNS jsonb
 LANGUAGE sql
AS $function$
  with recipients as materialized (
    select author as id union select v.account_id from poll_votes v where v.poll_id = poll
  ), removed as (
    delete from notifications n using recipients r
    where n.account_id = r.id and n.type = 'poll' and n.from_account_id = author and n.activity_id = poll
    returning n.account_id, n.status_id
  ), logged as (
    insert into events as e (kind, account_id, actor_id, status_id, data)
    select 'notifications.changed', removed.account_id, author, removed.status_id, '{"change": "withdrawn"}' from removed
    returning event_json(e) as event
  )
  select coalesce(jsonb_agg(logged.event), '[]') from logged
$function$;

CREATE TRIGGER domain_blocked AFTER INSERT ON public.account_domain_blocks FOR EACH ROW EXECUTE FUNCTION end_notification_permissions();

CREATE TRIGGER account_migrations_federated AFTER INSERT ON public.account_migrations FOR EACH ROW EXECUTE FUNCTION federate_moves();

CREATE TRIGGER accounts_domain_rule BEFORE INSERT ON public.accounts FOR EACH ROW WHEN ((new.domain IS NOT NULL)) EXECUTE FUNCTION apply_domain_rule();

CREATE TRIGGER accounts_email_subscriptions AFTER UPDATE OF suspended_at, deletion_requested_at ON public.accounts FOR EACH ROW WHEN ((((old.suspended_at IS NULL) AND (new.suspended_at IS NOT NULL)) OR ((old.deletion_requested_at IS NULL) AND (new.deletion_requested_at IS NOT NULL)))) EXECUTE FUNCTION purge_email_subscriptions();

CREATE TRIGGER accounts_suspended_here AFTER INSERT OR UPDATE OF suspended_at, suspension_origin ON public.accounts FOR EACH ROW WHEN (((new.suspended_at IS NOT NULL) AND (new.suspension_origin = 'local'::text) AND (new.deletion_requested_at IS NULL))) EXECUTE FUNCTION enqueue_removal();

CREATE TRIGGER accounts_suspension AFTER UPDATE OF suspended_at ON public.accounts FOR EACH ROW WHEN (((new.domain IS NULL) AND ((old.suspended_at IS NULL) <> (new.suspended_at IS NULL)))) EXECUTE FUNCTION sync_canonical_email_block();

CREATE TRIGGER accounts_tags_changed AFTER UPDATE OF silenced_at, suspended_at, pending, deletion_requested_at ON public.accounts FOR EACH ROW WHEN ((((old.silenced_at IS NULL) AND (old.suspended_at IS NULL) AND (NOT old.pending) AND (old.deletion_requested_at IS NULL)) <> ((new.silenced_at IS NULL) AND (new.suspended_at IS NULL) AND (NOT new.pending) AND (new.deletion_requested_at IS NULL)))) EXECUTE FUNCTION refresh_status_tags();

CREATE TRIGGER remote_accounts_counted AFTER INSERT ON public.accounts FOR EACH ROW WHEN ((new.domain IS NOT NULL)) EXECUTE FUNCTION count_remote_account();

CREATE TRIGGER remote_accounts_removed BEFORE DELETE ON public.accounts FOR EACH ROW WHEN ((old.domain IS NOT NULL)) EXECUTE FUNCTION count_remote_account();

CREATE TRIGGER active_days_counted AFTER INSERT ON public.active_days REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_active_days();

CREATE TRIGGER backups_removed AFTER DELETE ON public.backups FOR EACH ROW WHEN ((old.file_key IS NOT NULL)) EXECUTE FUNCTION remove_archive();

CREATE TRIGGER blocks_federated AFTER INSERT ON public.blocks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_relations();

CREATE TRIGGER blocks_federated_end AFTER DELETE ON public.blocks REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_relations();

CREATE TRIGGER collection_items_federated AFTER INSERT ON public.collection_items FOR EACH ROW WHEN ((new.state = 'pending'::text)) EXECUTE FUNCTION federate_feature_requests();

CREATE TRIGGER collection_items_listed AFTER INSERT OR DELETE OR UPDATE OF state ON public.collection_items FOR EACH ROW EXECUTE FUNCTION federate_collection_items();

CREATE TRIGGER collections_federated AFTER INSERT OR DELETE OR UPDATE OF name, description, language, tag_id, sensitive, discoverable ON public.collections FOR EACH ROW EXECUTE FUNCTION federate_collections();

CREATE TRIGGER events_email_subscriptions AFTER INSERT ON public.events FOR EACH ROW WHEN (((new.kind = 'status.created'::text) AND ((new.data ->> 'visibility'::text) = 'public'::text) AND ((new.data ->> 'local'::text) = 'true'::text) AND ((new.data ->> 'reblog_of_id'::text) IS NULL) AND (((new.data ->> 'in_reply_to_id'::text) IS NULL) OR ((new.data ->> 'in_reply_to_account_id'::text) = (new.actor_id)::text)))) EXECUTE FUNCTION enqueue_subscription_emails();

CREATE TRIGGER events_federated AFTER INSERT ON public.events FOR EACH ROW WHEN (((new.kind = ANY (ARRAY['status.created'::text, 'status.updated'::text, 'status.deleted'::text])) AND ((new.data ->> 'local'::text) = 'true'::text))) EXECUTE FUNCTION federate_statuses();

CREATE TRIGGER events_federated_profiles AFTER INSERT ON public.events FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['account.changed'::text, 'account.deleted'::text]))) EXECUTE FUNCTION federate_profiles();

CREATE TRIGGER events_notify AFTER INSERT ON public.events FOR EACH STATEMENT WHEN ((current_setting('millrace.defer_notify'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION notify_events();

CREATE TRIGGER events_webhooks AFTER INSERT ON public.events FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['account.changed'::text, 'user.changed'::text, 'report.created'::text, 'report.updated'::text, 'status.created'::text, 'status.updated'::text]))) EXECUTE FUNCTION enqueue_webhooks();

CREATE TRIGGER favourites_counted AFTER INSERT ON public.favourites REFERENCING NEW TABLE AS created FOR EACH STATEMENT EXECUTE FUNCTION count_favourites();

CREATE TRIGGER favourites_federated AFTER INSERT ON public.favourites REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_favourites();

CREATE TRIGGER favourites_federated_end AFTER DELETE ON public.favourites REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_favourites();

CREATE TRIGGER featured_tags_federated AFTER INSERT ON public.featured_tags REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_featured();

CREATE TRIGGER featured_tags_federated_end AFTER DELETE ON public.featured_tags REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_featured();

CREATE TRIGGER filter_keywords_limited AFTER INSERT ON public.filter_keywords REFERENCING NEW TABLE AS given FOR EACH STATEMENT EXECUTE FUNCTION limit_filters();

CREATE TRIGGER filter_keywords_limited_on_change AFTER UPDATE ON public.filter_keywords REFERENCING OLD TABLE AS former NEW TABLE AS given FOR EACH STATEMENT EXECUTE FUNCTION limit_filters();

CREATE TRIGGER filter_statuses_limited AFTER INSERT ON public.filter_statuses REFERENCING NEW TABLE AS given FOR EACH STATEMENT EXECUTE FUNCTION limit_filters();

CREATE TRIGGER filters_limited AFTER INSERT ON public.filters REFERENCING NEW TABLE AS given FOR EACH STATEMENT EXECUTE FUNCTION limit_filters();

CREATE TRIGGER follow_requests_deleted AFTER DELETE ON public.follow_requests REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION clean_up_follow_requests();

CREATE TRIGGER follow_requests_federated AFTER INSERT ON public.follow_requests REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_relations();

CREATE TRIGGER follow_requests_federated_end AFTER DELETE ON public.follow_requests REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_relations();

CREATE TRIGGER follows_counted AFTER INSERT ON public.follows REFERENCING NEW TABLE AS created FOR EACH STATEMENT EXECUTE FUNCTION count_follows();

CREATE TRIGGER follows_counted_by_day AFTER INSERT ON public.follows REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_follows_by_day();

CREATE TRIGGER follows_deleted AFTER DELETE ON public.follows REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION clean_up_follows();

CREATE TRIGGER follows_federated_end AFTER DELETE ON public.follows REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_relations();

CREATE TRIGGER follows_uncounted_by_day AFTER DELETE ON public.follows REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_follows_by_day();

CREATE TRIGGER media_attachments_content_kinds AFTER UPDATE OF type ON public.media_attachments FOR EACH ROW WHEN (((new.type <> old.type) AND (new.status_id IS NOT NULL))) EXECUTE FUNCTION refresh_content_kinds_of_status();

CREATE TRIGGER media_attachments_counted AFTER INSERT OR DELETE OR UPDATE OF file_bytes, preview_bytes ON public.media_attachments FOR EACH ROW EXECUTE FUNCTION count_media();

CREATE TRIGGER media_attachments_described AFTER UPDATE OF description ON public.media_attachments FOR EACH ROW WHEN (((new.description IS DISTINCT FROM old.description) AND (new.status_id IS NOT NULL))) EXECUTE FUNCTION refresh_content_kinds_of_status();

CREATE CONSTRAINT TRIGGER notification_grouped AFTER INSERT ON public.notifications DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.group_key !~~ 'ungrouped-%'::text)) EXECUTE FUNCTION join_notification_group();

CREATE TRIGGER notifications_deleted AFTER DELETE ON public.notifications REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION shrink_notification_requests();

CREATE TRIGGER notifications_left_groups AFTER DELETE ON public.notifications REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION leave_notification_groups();

CREATE TRIGGER notifications_mailed AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION enqueue_mail();

CREATE TRIGGER notifications_pushed AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION enqueue_pushes();

CREATE TRIGGER poll_votes_counted AFTER INSERT ON public.poll_votes REFERENCING NEW TABLE AS created FOR EACH STATEMENT EXECUTE FUNCTION count_poll_votes();

CREATE TRIGGER poll_votes_federated AFTER INSERT ON public.poll_votes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_votes();

CREATE TRIGGER polls_content_kinds AFTER INSERT OR DELETE ON public.polls FOR EACH ROW EXECUTE FUNCTION refresh_content_kinds_of_status();

CREATE TRIGGER polls_federated_end AFTER UPDATE OF ended_at ON public.polls FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION federate_poll_end();

CREATE TRIGGER polls_worded AFTER UPDATE OF options ON public.polls FOR EACH ROW WHEN ((new.options <> old.options)) EXECUTE FUNCTION refresh_content_kinds_of_status();

CREATE TRIGGER preview_cards_content_kinds AFTER UPDATE OF type ON public.preview_cards FOR EACH ROW WHEN (((new.type = 'video'::text) <> (old.type = 'video'::text))) EXECUTE FUNCTION refresh_content_kinds_of_card();

CREATE TRIGGER preview_cards_statuses_content_kinds AFTER INSERT OR DELETE OR UPDATE OF preview_card_id ON public.preview_cards_statuses FOR EACH ROW EXECUTE FUNCTION refresh_content_kinds_of_status();

CREATE TRIGGER quotes_content_kinds AFTER INSERT OR DELETE ON public.quotes FOR EACH ROW EXECUTE FUNCTION refresh_content_kinds_of_status();

CREATE TRIGGER quotes_federated AFTER INSERT ON public.quotes FOR EACH ROW WHEN ((new.state = 'pending'::text)) EXECUTE FUNCTION federate_quotes();

CREATE TRIGGER quotes_federated_revocation AFTER UPDATE OF state ON public.quotes FOR EACH ROW WHEN (((old.state = 'accepted'::text) AND (new.state = 'revoked'::text))) EXECUTE FUNCTION federate_revocations();

CREATE TRIGGER reports_counted AFTER INSERT ON public.reports REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_reports();

CREATE TRIGGER reports_domain BEFORE INSERT OR UPDATE OF target_account_id ON public.reports FOR EACH ROW EXECUTE FUNCTION set_report_domain();

CREATE TRIGGER reports_federated AFTER INSERT ON public.reports FOR EACH ROW WHEN ((new.forwarded_to <> '{}'::text[])) EXECUTE FUNCTION federate_reports();

CREATE TRIGGER reports_recounted AFTER UPDATE ON public.reports REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_reports();

CREATE TRIGGER reports_uncounted AFTER DELETE ON public.reports REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_reports();

CREATE TRIGGER status_pins_federated AFTER INSERT ON public.status_pins REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_featured();

CREATE TRIGGER status_pins_federated_end AFTER DELETE ON public.status_pins REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION federate_featured();

CREATE TRIGGER status_tags_author BEFORE INSERT ON public.status_tags FOR EACH ROW EXECUTE FUNCTION set_status_tag_author();

CREATE TRIGGER status_tags_counted AFTER INSERT ON public.status_tags REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_status_tags();

CREATE TRIGGER status_tags_recounted AFTER UPDATE ON public.status_tags REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_status_tags();

CREATE TRIGGER status_tags_uncounted AFTER DELETE ON public.status_tags REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_status_tags();

CREATE TRIGGER remote_statuses_changed AFTER UPDATE OF deleted_at, language ON public.statuses FOR EACH ROW WHEN (((NOT new.local) AND ((old.deleted_at IS DISTINCT FROM new.deleted_at) OR (old.language IS DISTINCT FROM new.language)))) EXECUTE FUNCTION count_remote_status();

CREATE TRIGGER remote_statuses_removed AFTER DELETE ON public.statuses FOR EACH ROW WHEN (((NOT old.local) AND (old.deleted_at IS NULL))) EXECUTE FUNCTION count_remote_status();

CREATE TRIGGER statuses_content_kinds BEFORE INSERT ON public.statuses FOR EACH ROW WHEN ((new.media_attachment_ids <> '{}'::bigint[])) EXECUTE FUNCTION set_content_kinds();

CREATE TRIGGER statuses_content_kinds_changed BEFORE UPDATE OF media_attachment_ids ON public.statuses FOR EACH ROW WHEN ((new.media_attachment_ids IS DISTINCT FROM old.media_attachment_ids)) EXECUTE FUNCTION set_content_kinds();

CREATE TRIGGER statuses_counted AFTER INSERT ON public.statuses FOR EACH ROW WHEN ((current_setting('millrace.counted'::text, true) IS DISTINCT FROM 'on'::text)) EXECUTE FUNCTION count_new_statuses();

CREATE TRIGGER statuses_tags_changed AFTER UPDATE OF deleted_at, language, visibility ON public.statuses FOR EACH ROW WHEN ((((old.deleted_at IS NULL) <> (new.deleted_at IS NULL)) OR (old.language IS DISTINCT FROM new.language) OR (old.visibility <> new.visibility))) EXECUTE FUNCTION refresh_status_tags();

CREATE TRIGGER users_counted AFTER INSERT OR DELETE OR UPDATE OF created_at, current_sign_in_at, locale, created_by_application_id ON public.users FOR EACH ROW EXECUTE FUNCTION count_users();

CREATE TRIGGER users_pending AFTER INSERT OR UPDATE OF confirmed_at, approved ON public.users FOR EACH ROW EXECUTE FUNCTION sync_pending();

CREATE TRIGGER users_second_factor_ended AFTER UPDATE OF otp_enabled_at ON public.users FOR EACH ROW WHEN (((old.otp_enabled_at IS NOT NULL) AND (new.otp_enabled_at IS NULL))) EXECUTE FUNCTION end_security_keys();

CREATE CONSTRAINT TRIGGER webhooks_followed AFTER INSERT OR DELETE OR UPDATE OF enabled ON public.webhooks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION follow_webhooks();

comment on column account_stats.followers_elsewhere is 'followers that only the server of the account knows, by its latest count; 0 for local accounts';

comment on column account_stats.following_elsewhere is 'followed accounts that only the server of the account knows, by its latest count; 0 for local accounts';

comment on column account_stats.statuses_elsewhere is 'what the known statuses differ from the latest count of the server of the account; 0 for local accounts';

comment on column preview_cards.page_url is 'the page after redirects; null: fetched before this was stored, as the URL says';

comment on column status_stats.favourites_elsewhere is 'favourites that only the server of the author knows, by its latest count; 0 for local statuses';

comment on column status_stats.reblogs_elsewhere is 'boosts that only the server of the author knows, by its latest count; 0 for local statuses';
