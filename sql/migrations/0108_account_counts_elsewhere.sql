-- The server of an account counts all its followers and posts, others only those that they know.
alter table account_stats
  add column followers_elsewhere integer not null default 0,
  add column following_elsewhere integer not null default 0,
  add column statuses_elsewhere integer not null default 0;

comment on column account_stats.followers_elsewhere is
  'followers that only the server of the account knows, by its latest count; 0 for local accounts';
comment on column account_stats.following_elsewhere is
  'followed accounts that only the server of the account knows, by its latest count; 0 for local accounts';
comment on column account_stats.statuses_elsewhere is
  'what the known statuses differ from the latest count of the server of the account; 0 for local accounts';
