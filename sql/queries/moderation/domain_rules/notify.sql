-- notify: notifies each local account of a batch once of the relations that they lost by a domain
-- rule.
-- $1 rule bigint
-- $2 after bigint
-- $3 limit integer
-- rows: one; last: the severance after which the next batch begins, null when there are no more
-- plan: no sequential scan of severances
with part as materialized (
  select s.id, s.account_id
  from domain_blocks b
  join severances s on s.type = 'domain_block' and s.target_name = b.domain and s.created_at = b.created_at
  where b.id = $1 and s.id > $2
  order by s.id
  limit $3::integer
), notified as materialized (
  select notify(part.account_id, part.account_id, 'severed_relationships', null, part.id) as event
  from part
  where not exists (
    select from notifications n
    where n.account_id = part.account_id and n.type = 'severed_relationships' and n.activity_id = part.id
  )
)
select
  (select max(part.id) from part) as last,
  (select jsonb_agg(notified.event) from notified where notified.event is not null) as events
