-- The one place that decides who may see a status (null: anybody): api/entities/Status.json, api/delivery.md section 1, api/moderation.md.
-- Set-returning SQL functions in `from` are inlined by the planner, so that `from visible_statuses($1) s where s.id = any ($2)` costs what
-- the same conditions written out would cost. Who is left out is said in visible_statuses_ever; here also deleted statuses.
create or replace function visible_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.* from visible_statuses_ever(viewer) s where s.deleted_at is null
$$;
