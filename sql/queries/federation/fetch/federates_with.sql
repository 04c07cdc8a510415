-- federates_with: whether this server exchanges activities with a host.
-- $1 domain text
-- $2 limited boolean
-- rows: one
-- plan: rules by key
select
  not coalesce((select r.severity = 'suspend' from domain_rule($1) r), false)
  and (not $2::boolean or exists (select from domain_allows a where a.domain = $1::text)) as allowed
