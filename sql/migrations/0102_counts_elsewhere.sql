-- A server counts all favourites and boosts of its statuses, others only those of their accounts.
alter table status_stats
  add column favourites_elsewhere integer not null default 0,
  add column reblogs_elsewhere integer not null default 0;

comment on column status_stats.favourites_elsewhere is
  'favourites that only the server of the author knows, by its latest count; 0 for local statuses';
comment on column status_stats.reblogs_elsewhere is
  'boosts that only the server of the author knows, by its latest count; 0 for local statuses';
