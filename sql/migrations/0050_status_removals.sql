-- The removal of old statuses that `ctl statuses remove` has not finished, for `--continue`. The
-- table is new; nothing that exists is locked.
create table status_removals (
  only_one boolean primary key default true check (only_one),
  before timestamptz not null,
  clean_followed boolean not null,
  -- The last status that was examined.
  after bigint not null,
  removed integer not null,
  -- Of how many, as counted at the beginning.
  total integer not null
);
