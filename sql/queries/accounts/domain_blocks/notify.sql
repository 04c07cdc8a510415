-- notify: notifies the viewer once of the relations lost with a domain, unless none were lost.
-- $1 viewer bigint
-- $2 severance bigint
-- rows: one
-- plan: no sequential scan
with logged as materialized (
  select notify($1, $1, 'severed_relationships', null, s.id) as event from severances s where s.id = $2 and s.account_id = $1
)
select (select jsonb_agg(logged.event) from logged where logged.event is not null) as events
