-- The only place that decides who may see a status (null: anybody). Set-returning SQL functions in
-- `from` are inlined by the planner, so that `from visible_statuses($1) s where s.id = any ($2)`
-- costs the same as the conditions written out. See visible_statuses_ever for the conditions; this
-- function also omits deleted statuses.
create or replace function visible_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.* from visible_statuses_ever(viewer) s where s.deleted_at is null
$$;
