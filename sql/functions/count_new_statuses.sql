-- A trigger of statuses: counts a new one by day and domain, the interactions of local accounts
-- (boosts, and replies to others), and the languages of remote originals.
create or replace function count_new_statuses() returns trigger language plpgsql as $$
declare
  today date := snowflake_day(new.id);
  domain text := '';
begin
  if new.local then
    perform count_by_day('statuses', today, 1);
    if new.reblog_of_id is not null or new.in_reply_to_account_id <> new.account_id then
      perform count_by_day('interactions', today, 1);
    end if;
    return null;
  end if;
  select coalesce(a.domain, '') into domain from accounts a where a.id = new.account_id;
  perform count_by_day('statuses', today, 1, domain);
  if new.reblog_of_id is null then
    perform count_by_day('languages', today, 1, domain, coalesce(new.language, ''));
  end if;
  return null;
end
$$;
