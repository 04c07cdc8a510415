-- A trigger of accounts: limits or suspends new accounts of a moderated domain. The time is the
-- rule's, so that removing the rule finds them.
create or replace function apply_domain_rule() returns trigger language plpgsql as $$
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
