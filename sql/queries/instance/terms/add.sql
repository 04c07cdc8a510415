-- add: stores a draft of terms of service, and records it in the audit log.
-- $1 moderator bigint
-- $2 text text
-- $3 changelog text
-- $4 effective_date date
-- rows: one; none when other terms have the date
-- plan: rows are inserted, none are read
with created as (
  insert into terms_of_service (text, changelog, effective_date) values ($2, $3, $4::date)
  on conflict (effective_date) do nothing
  returning terms_of_service.id, coalesce(to_char(terms_of_service.effective_date, 'YYYY-MM-DD'), '') as name
), recorded as materialized (
  select log_action($1::bigint, 'create', 'TermsOfService', created.id, created.name) from created
)
select created.id from created, recorded
