-- unblock: removes the viewer's block of a domain.
-- $1 viewer bigint
-- $2 domain text
-- rows: one
-- plan: no sequential scan
with unblocked as (
  delete from account_domain_blocks d where d.account_id = $1 and d.domain = $2 returning d.domain
), logged as (
  insert into events (kind, account_id, data)
  select 'domain_block.changed', $1::bigint, jsonb_build_object('domain', unblocked.domain) from unblocked
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
