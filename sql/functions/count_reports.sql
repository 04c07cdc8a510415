-- A trigger of reports: keeps the daily counters of reports (report_counters), with one row for all
-- reports of a statement that belong together.
create or replace function count_reports() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_report_counts(array(select row(a.*)::reports from added a), '{}');
  elsif tg_op = 'DELETE' then
    perform add_report_counts('{}', array(select row(r.*)::reports from removed r));
  else
    perform add_report_counts(
      array(
        select row(a.*)::reports from added a join removed r on r.id = a.id
        where (a.created_at, a.action_taken_at, a.target_domain) is distinct from (r.created_at, r.action_taken_at, r.target_domain)
      ),
      array(
        select row(r.*)::reports from added a join removed r on r.id = a.id
        where (a.created_at, a.action_taken_at, a.target_domain) is distinct from (r.created_at, r.action_taken_at, r.target_domain)
      )
    );
  end if;
  return null;
end
$$;
