-- Long work that the staff starts on a page, with its progress. It locks nothing that exists.
create table staff_tasks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('follow_all', 'unfollow_all', 'purge_domain', 'remove_media', 'remove_statuses')),
  -- Null: the moderator is gone.
  moderator_id bigint references accounts (id) on delete set null,
  target_account_id bigint references accounts (id) on delete cascade,
  domain text,
  days integer,
  -- With the subdomains, or with the statuses of accounts that people here follow.
  widened boolean not null default false,
  -- Null until the first run has counted.
  total_count integer,
  done_count integer not null default 0,
  failed boolean not null default false,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check (num_nonnulls(target_account_id, domain, days) = 1)
);
create unique index staff_tasks_unfinished on staff_tasks
  (kind, coalesce(target_account_id, 0), coalesce(domain, ''), coalesce(days, 0)) where finished_at is null;
create index staff_tasks_moderator on staff_tasks (moderator_id) where moderator_id is not null;
create index staff_tasks_target on staff_tasks (target_account_id) where target_account_id is not null;
