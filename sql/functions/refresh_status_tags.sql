-- A trigger of statuses and of accounts: what the hashtags of the status, or of the account's
-- statuses in the days that are shown, are counted by has changed.
create or replace function refresh_status_tags() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'statuses' then
    update status_tags x set language = f.language, counted = f.counted, listed = f.listed
    from status_tag_facts(new.id) f
    where x.status_id = new.id;
  else
    update status_tags x set listed = f.listed
    from status_tags own
    cross join lateral status_tag_facts(own.status_id) f
    where own.account_id = new.id
      and own.status_id >= first_snowflake(midnight((now() at time zone 'UTC')::date - 14))
      and x.tag_id = own.tag_id and x.status_id = own.status_id and x.listed <> f.listed;
  end if;
  return null;
end
$$;
