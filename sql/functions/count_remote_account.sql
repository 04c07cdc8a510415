-- A trigger of accounts of other servers: counts them by the day on which they were first seen.
-- What depends on a deleted account is deleted before it, while its domain is known to the triggers
-- that count the rest.
create or replace function count_remote_account() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_by_day('accounts', snowflake_day(new.id), 1, new.domain);
    return null;
  end if;
  delete from reports r where r.target_account_id = old.id;
  delete from follows f where f.account_id = old.id or f.target_account_id = old.id;
  delete from media_attachments m where m.account_id = old.id;
  delete from statuses s where s.account_id = old.id;
  perform count_by_day('accounts', snowflake_day(old.id), -1, old.domain);
  return old;
end
$$;
