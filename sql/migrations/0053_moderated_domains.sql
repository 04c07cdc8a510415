-- Rules about domains take effect on the accounts there, also on those that come to be known later.
-- Locks: functions, and a trigger on accounts, for which writers of accounts wait an instant.

-- A domain and all that it is below: `mail.a.example`, `a.example`, `example`.
create function domains_above(domain text) returns text[]
language sql immutable parallel safe as $$
  select array(
    select array_to_string((string_to_array(domain, '.'))[n:], '.')
    from generate_series(1, cardinality(string_to_array(domain, '.'))) n
  )
$$;

-- The rule for a domain: its own, else that of the nearest domain above it.
create function domain_rule(domain text) returns setof domain_blocks
language sql stable rows 1 as $$
  select b.* from domain_blocks b where b.domain = any (domains_above(domain_rule.domain)) order by length(b.domain) desc limit 1
$$;

-- Who comes from a moderated domain is limited from the start. The time is the rule's, so that lifting it finds them.
create function limit_newcomer() returns trigger language plpgsql as $$
declare
  rule domain_blocks;
begin
  select r.* into rule from domain_rule(new.domain) r;
  if rule.severity = 'silence' then
    new.silenced_at := coalesce(new.silenced_at, rule.created_at);
  elsif rule.severity = 'suspend' then
    new.suspended_at := coalesce(new.suspended_at, rule.created_at);
  end if;
  return new;
end
$$;

create trigger newcomer_limited before insert on accounts
for each row when (new.domain is not null) execute function limit_newcomer();
