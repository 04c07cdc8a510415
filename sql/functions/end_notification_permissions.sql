-- A trigger of account_domain_blocks: ends the exemptions of the domain's accounts from the
-- notification policy.
create or replace function end_notification_permissions() returns trigger language plpgsql as $$
begin
  delete from notification_permissions p using accounts a
  where p.account_id = new.account_id and a.id = p.from_account_id and a.domain = new.domain;
  return null;
end
$$;
