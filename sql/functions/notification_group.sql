-- The key of the group that a notification joins. Favourites and boosts of a status, follows and
-- sign-ups are grouped while they come less than 12 hours after the start of the group; others are
-- ungrouped. Read from the table of groups: among 600,000 notifications of one person the search
-- for a running group took 90 ms, and takes 0.1 now. The hours are in sub-selects, so that it is
-- planned once.
create or replace function notification_group(recipient bigint, type text, status bigint, id bigint) returns text
language plpgsql stable as $$
declare
  hour bigint := floor(extract(epoch from clock_timestamp()) / 3600)::bigint;
  prefix text := case
    when type in ('favourite', 'reblog') then type || '-' || status || '-'
    when type in ('follow', 'admin.sign_up') then type || '-'
  end;
begin
  if prefix is null then
    return 'ungrouped-' || id;
  end if;
  return coalesce(
    (
      select g.group_key
      from notification_groups g
      where g.account_id = recipient and g.group_key = any (array(select prefix || h from generate_series((select hour) - 11, (select hour)) h))
      order by g.group_key desc
      limit 1
    ),
    prefix || hour
  );
end
$$;
