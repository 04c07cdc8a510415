-- The rule for a domain: its own, else that of the nearest parent domain.
create or replace function domain_rule(domain text) returns setof domain_blocks
language sql stable rows 1 as $$
  select b.* from domain_blocks b where b.domain = any (domains_above(domain_rule.domain)) order by length(b.domain) desc limit 1
$$;
