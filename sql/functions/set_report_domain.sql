-- A trigger of reports: sets the domain of the reported account, which never changes.
create or replace function set_report_domain() returns trigger language plpgsql as $$
begin
  new.target_domain := (select a.domain from accounts a where a.id = new.target_account_id);
  return new;
end
$$;
