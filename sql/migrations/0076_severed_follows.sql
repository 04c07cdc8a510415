-- Which follows somebody lost by the block of a domain or the suspension of an account, as their
-- owner downloads them. By handle, since the accounts may be deleted. Locks nothing for long.
create table severed_follows (
  id bigint generated always as identity,
  severance_id bigint not null references severances (id) on delete cascade,
  -- Whether the owner followed the account; else it was a follower.
  following boolean not null,
  handle text not null,
  show_reblogs boolean not null,
  notify boolean not null,
  languages text[],
  primary key (severance_id, following, id)
);
