-- A trigger of status_tags: sets the author of the status.
create or replace function set_status_tag_author() returns trigger language plpgsql as $$
begin
  new.account_id := (select s.account_id from statuses s where s.id = new.status_id);
  return new;
end
$$;
