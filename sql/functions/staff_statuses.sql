-- Statuses that the pages of the staff show to a member of it: those that are for everybody, those
-- that a report or a strike names, deleted ones as well, and those that the viewer may see anyway.
-- Nobody reads what others write to their followers or to each other because of a role. `offset 0`
-- as in visible_statuses_ever.
create or replace function staff_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from statuses s
  where s.visibility in ('public', 'unlisted')
    or exists (select from reports r where r.target_account_id = s.account_id and s.id = any (r.status_ids) offset 0)
    or exists (select from account_warnings w where w.target_account_id = s.account_id and s.id = any (w.status_ids) offset 0)
    or exists (select from visible_statuses(viewer) v where v.id = s.id offset 0)
$$;
