-- Yearly reports, and work in the background that clients ask about.
-- Locks: none on existing tables.

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
