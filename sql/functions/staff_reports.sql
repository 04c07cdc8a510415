-- The reports of a list in the staff's area, newest first (staff_reports_query).
create or replace function staff_reports(
  filter jsonb, max_id bigint, since_id bigint, min_id bigint, max_rows integer
) returns setof bigint
language plpgsql stable rows 100 as $$
begin
  return query execute
    'select page.id from (' || staff_reports_query(filter, max_id, since_id, min_id, max_rows) || ') page order by page.id desc';
end
$$;
