-- A trigger of statuses of other servers: counts deletions, and changes of language.
create or replace function count_remote_status() returns trigger language plpgsql as $$
declare
  domain text := (select a.domain from accounts a where a.id = old.account_id);
  day date := snowflake_day(old.id);
  existed boolean := old.deleted_at is null;
  remains boolean := tg_op = 'UPDATE' and new.deleted_at is null;
begin
  if domain is null then
    return null;
  end if;
  perform count_by_day('deleted_statuses', day, existed::integer - remains::integer, domain);
  if old.reblog_of_id is null and (not remains or not existed or new.language is distinct from old.language) then
    perform count_by_day('languages', day, -existed::integer, domain, coalesce(old.language, ''));
    if remains then
      perform count_by_day('languages', day, 1, domain, coalesce(new.language, ''));
    end if;
  end if;
  return null;
end
$$;
