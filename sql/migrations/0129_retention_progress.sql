-- How far the nightly removal of old statuses of other servers has come, so that it does not
-- examine each night what it has kept. The table is new; nothing that exists is locked.
create table retention_progress (
  only_one boolean primary key default true check (only_one),
  examined_status_id bigint not null,
  -- When it began with the oldest ones.
  round_began_at timestamptz not null default now()
);
