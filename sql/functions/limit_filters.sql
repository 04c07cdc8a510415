-- A trigger of filters, filter_keywords and filter_statuses. Limits the filters of an account: 200
-- filters, 2,000 keywords of 30,000 characters together, 5,000 statuses. This also bounds the cost
-- of matching and the memory of compiled filters. Accounts that exceed the limits already may
-- change and remove theirs.
create or replace function limit_filters() returns trigger language plpgsql as $$
declare
  owners bigint[];
  owner bigint;
  fault text;
begin
  if tg_table_name = 'filters' then
    owners := array(select distinct g.account_id from given g);
  else
    owners := array(
      select distinct (select f.account_id from filters f where f.id = g.filter_id)
      from (select distinct filter_id from given) g
    );
  end if;
  foreach owner in array owners loop
    -- Serialised, so that simultaneous additions count each other's rows.
    perform pg_advisory_xact_lock(hashtext('filters'), hashint8(owner));
    if tg_table_name = 'filters' then
      select 'filters_most' into fault from filters f where f.account_id = owner having count(*) > 200;
    elsif tg_table_name = 'filter_statuses' then
      select 'filter_statuses_most' into fault
      from filters f join filter_statuses s on s.filter_id = f.id where f.account_id = owner having count(*) > 5000;
    elsif tg_op = 'INSERT' then
      select case when count(*) > 2000 then 'filter_keywords_most' else 'filter_keywords_longest' end into fault
      from filters f join filter_keywords k on k.filter_id = f.id where f.account_id = owner
      having count(*) > 2000 or sum(char_length(k.keyword)) > 30000;
    elsif (select sum(char_length(g.keyword)) from given g) > (select sum(char_length(f.keyword)) from former f) then
      select 'filter_keywords_longest' into fault
      from filters f join filter_keywords k on k.filter_id = f.id where f.account_id = owner
      having sum(char_length(k.keyword)) > 30000;
    end if;
    if fault is not null then
      raise exception 'too much in filters' using errcode = 'check_violation', constraint = fault;
    end if;
  end loop;
  return null;
end $$;
