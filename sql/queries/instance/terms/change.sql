-- change: changes a draft of terms of service, and records it in the audit log.
-- $1 moderator bigint
-- $2 terms bigint
-- $3 text text
-- $4 changelog text
-- $5 effective_date date
-- rows: one when it is a draft; taken: other terms have the date, and nothing was changed
-- plan: rows by key
with target as (
  select
    t.id,
    exists (select from terms_of_service other where other.effective_date = $5::date and other.id <> t.id) as taken
  from terms_of_service t
  where t.id = $2 and t.published_at is null
  for update of t
), changed as (
  update terms_of_service t set text = $3, changelog = $4, effective_date = $5::date, updated_at = now()
  from target
  where t.id = target.id and not target.taken
  returning t.id, coalesce(to_char(t.effective_date, 'YYYY-MM-DD'), '') as name
), recorded as materialized (
  select log_action($1::bigint, 'update', 'TermsOfService', changed.id, changed.name) from changed
)
select target.taken, (select count(*)::integer from recorded) as changed from target
