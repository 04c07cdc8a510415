-- block: stores the viewer's block of a domain. Jobs then remove the relations that it ends.
-- $1 viewer bigint
-- $2 domain text
-- rows: none when it was blocked already, else one; severance: the id under which the lost
--   relations are counted
-- plan: no sequential scan
with blocked as (
  insert into account_domain_blocks (account_id, domain) values ($1, $2)
  on conflict (account_id, domain) do nothing
  returning account_domain_blocks.domain
), logged as (
  insert into events (kind, account_id, data)
  select 'domain_block.changed', $1::bigint, jsonb_build_object('domain', blocked.domain) from blocked
  returning event_json(events) as event
)
select snowflake() as severance, (select jsonb_agg(logged.event) from logged) as events from blocked
