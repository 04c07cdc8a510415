-- A trigger of users: without one-time codes there are no security keys either, since they are used
-- beside them.
create or replace function end_security_keys() returns trigger language plpgsql as $$
begin
  delete from security_keys where security_keys.user_id = new.id;
  return null;
end
$$;
