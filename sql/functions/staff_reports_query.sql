-- The statement for a list of reports in the staff's area: only the conditions of the filters in
-- use, with their values, so that the planner chooses the index.
-- filter: state (open, resolved), account_id (the reporter), target_account_id, target_domain,
-- assigned_account_id.
create or replace function staff_reports_query(
  filter jsonb, max_id bigint, since_id bigint, min_id bigint, max_rows integer
) returns text
language plpgsql stable as $$
declare
  conditions text[] := array['true'];
begin
  conditions := conditions || case filter ->> 'state'
    when 'open' then 'r.action_taken_at is null'
    when 'resolved' then 'r.action_taken_at is not null'
    else 'true'
  end;
  if filter ? 'account_id' then
    conditions := conditions || format('r.account_id = %L::bigint', filter ->> 'account_id');
  end if;
  if filter ? 'target_account_id' then
    conditions := conditions || format('r.target_account_id = %L::bigint', filter ->> 'target_account_id');
  end if;
  if filter ? 'assigned_account_id' then
    conditions := conditions || format('r.assigned_account_id = %L::bigint', filter ->> 'assigned_account_id');
  end if;
  if filter ? 'target_domain' then
    conditions := conditions || format('r.target_domain = %L', filter ->> 'target_domain');
  end if;
  if max_id is not null then
    conditions := conditions || format('r.id < %L::bigint', max_id);
  end if;
  if coalesce(min_id, since_id) is not null then
    conditions := conditions || format('r.id > %L::bigint', greatest(min_id, since_id));
  end if;
  return format(
    'select r.id from reports r where %s order by r.id %s limit %s',
    array_to_string(conditions, ' and '),
    case when min_id is null then 'desc' else 'asc' end,
    max_rows
  );
end
$$;
