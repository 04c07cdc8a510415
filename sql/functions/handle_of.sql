-- `user` or `user@domain`.
create or replace function handle_of(account accounts) returns text
language sql stable as $$
  select account.username || coalesce('@' || account.domain, '')
$$;
