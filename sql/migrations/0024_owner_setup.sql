-- The one-time link that makes the owner's account. It locks nothing that exists.
create table owner_links (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
