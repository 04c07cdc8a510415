-- What an account of another server said that it deleted or undid, maybe before it arrived: what
-- the account itself sends of it later is ignored. Forgotten after six hours. Those of `tombstones`
-- are about anybody's objects: statuses that were deleted here, actors that deleted themselves, and
-- for six hours more what the release before recorded. Nothing is locked.
create table author_tombstones (
  uri text not null,
  author_id bigint not null,
  created_at timestamptz not null default now(),
  primary key (uri, author_id)
);
create index author_tombstones_by_age on author_tombstones (created_at);
