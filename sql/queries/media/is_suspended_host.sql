-- is_suspended_host: whether nothing is exchanged with a host, as a rule says.
-- $1 host text
-- rows: one
-- plan: rules by key
select coalesce((select r.severity = 'suspend' from domain_rule($1::text) r), false) as suspended
