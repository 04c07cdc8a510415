-- limit: silences or suspends those of these accounts that are under a rule, dated at the rule's
-- own time. Limits set by moderators stay unchanged.
-- $1 rule bigint
-- $2 ids bigint[]
-- rows: one; included: the accounts that are under the rule; suspended: those that the rule
--   suspends, now or earlier
-- plan: no sequential scan of accounts
with rule as materialized (
  select b.id, b.severity, b.created_at from domain_blocks b where b.id = $1
), added_rules as materialized (
  select a.id
  from rule
  join accounts a on a.id = any ((select $2::bigint[])::bigint[])
  where (select r.id from domain_rule(a.domain) r) = rule.id
), changed as (
  update accounts a set
    silenced_at = case rule.severity when 'silence' then rule.created_at else a.silenced_at end,
    suspended_at = case rule.severity when 'suspend' then rule.created_at else a.suspended_at end,
    updated_at = now()
  from rule, added_rules
  where a.id = added_rules.id and case rule.severity
    when 'silence' then a.silenced_at is null
    when 'suspend' then a.suspended_at is null
    else false
  end
  returning a.id, rule.severity
), logged as (
  insert into events (kind, account_id, data)
  select 'account.changed', changed.id, jsonb_build_object('change', case changed.severity when 'silence' then 'silenced' else 'suspended' end) from changed
  returning event_json(events) as event
)
select
  array(
    select changed.id from changed where changed.severity = 'suspend'
    union
    select a.id from rule, added_rules join accounts a on a.id = added_rules.id where rule.severity = 'suspend' and a.suspended_at = rule.created_at
  ) as suspended,
  array(select added_rules.id from added_rules) as included,
  (select jsonb_agg(logged.event) from logged) as events
